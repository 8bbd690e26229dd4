import { asking, numbers, phrases, words, type TurnWords } from "./word-lists.ts";

export const NORWEGIAN: TurnWords = {
  language: "no",
  backchannels: words(
    "mhm mm hm aha ja jo japp okei ok greit fint bra akkurat nettopp selvfølgelig supert forstår riktig",
  ),
  backchannelPhrases: phrases("ja ja;jeg forstår;det er greit;ikke noe problem;det høres bra ut;helt greit"),
  stops: words("stopp stop vent nei unnskyld beklager øyeblikk sekund"),
  stopPhrases: phrases("vent litt;et øyeblikk;nei nei;jeg har et spørsmål;en gang til;hva sa du"),
  greetings: words("hallo hei ja god morgen dag kveld"),
  hesitations: words("eh øh ehm øhm hm hmm mm"),
  openTails: words(
    "en et ei den det de min mitt mine din ditt sin hans hennes vår denne dette og eller men at som hvis for på i til fra med av ved under over etter før mellom uten jeg du han hun vi er var har hadde vil ville kan kunne skal skulle må ikke veldig også bare når hva hvem hvordan fordi",
  ),
  openPhrases: phrases("vent litt;et øyeblikk;la meg se;jeg tror;jeg mener;for eksempel;det vil si;jeg vet ikke"),
  answers: words("ja nei jo okei ok takk hei akkurat ingenting ingen gjerne"),
  questionWords: words("hva hvem hvor når hvorfor hvordan hvilken hvilket hvilke"),
  numbers: numbers(
    "null en ett to tre fire fem seks sju syv åtte ni",
    "ti elleve tolv tretten fjorten femten seksten sytten atten nitten tjue tretti førti femti seksti sytti åtti nitti",
  ),
  asks: asking({
    spelling: "stav",
    mail: "e-post",
    phone: "telefonnummer|mobilnummer|ringe",
    digits: "nummer|kode|siffer|pin",
    birth: "født|fødsel",
    date: "når|dato|hvilken dag",
    time: "hvilken tid|klokken|klokka",
    name: "navn|hva heter|hvem snakker",
    quantity: "hvor mange|hvor mye|hvor gammel|hvor lenge",
    or: " eller ",
  }),
  address: { at: "krøllalfa", dot: "punktum" },
};
