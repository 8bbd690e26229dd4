import { asking, numbers, phrases, words, type TurnWords } from "./word-lists.ts";

export const SWEDISH: TurnWords = {
  language: "sv",
  backchannels: words(
    "mhm mm hm aha jaha ja jo japp okej ok bra precis just visst såklart absolut toppen fint jättebra förstår",
  ),
  backchannelPhrases: phrases("ja ja;jag förstår;det är bra;inga problem;just det;det låter bra;jag ser;så klart"),
  stops: words("stopp stop vänta nej ursäkta förlåt sekund ögonblick sluta"),
  stopPhrases: phrases(
    "vänta lite;ett ögonblick;en sekund;nej nej;jag har en fråga;en gång till;vad sa du;det stämmer inte",
  ),
  greetings: words("hallå hej ja god morgon dag kväll tjena"),
  hesitations: words("eh öh ehm öhm hm hmm mm"),
  openTails: words(
    "en ett den det de min mitt mina din ditt sin hans hennes vår vårt denna detta och eller men att som om för på i till från med av vid under över efter innan mellan utan jag du han hon vi ni är var har hade vill skulle kan kunde måste ska inte mycket också bara när var vad vem hur därför eftersom",
  ),
  openPhrases: phrases(
    "vänta lite;ett ögonblick;ska vi se;jag tror;jag menar;till exempel;det vill säga;jag vet inte;på grund av",
  ),
  answers: words("ja nej jo okej ok tack hej hejdå precis inget ingen gärna absolut"),
  questionWords: words("vad vem var vart när varför hur vilken vilket vilka"),
  numbers: numbers(
    "noll ett en två tre fyra fem sex sju åtta nio",
    "tio elva tolv tretton fjorton femton sexton sjutton arton nitton tjugo trettio fyrtio femtio sextio sjuttio åttio nittio",
  ),
  asks: asking({
    spelling: "stava|bokstaver",
    mail: "mejl|e-post",
    phone: "telefonnummer|mobilnummer|nå dig|ringa",
    digits: "nummer|kod|siffror|pin",
    birth: "född|födelse",
    date: "när|datum|vilken dag",
    time: "hur dags|vilken tid|klockan",
    name: "namn|vad heter|vem talar",
    quantity: "hur många|hur mycket|hur gammal|hur länge",
    or: " eller ",
  }),
  address: { at: "snabel-a", dot: "punkt" },
};
