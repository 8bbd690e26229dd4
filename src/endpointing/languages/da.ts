import { asking, numbers, phrases, words, type TurnWords } from "./word-lists.ts";

export const DANISH: TurnWords = {
  language: "da",
  backchannels: words(
    "mhm mm hm aha nå ja jo jep okay ok godt fint præcis netop klart selvfølgelig super forstår rigtigt",
  ),
  backchannelPhrases: phrases("ja ja;jeg forstår;det er fint;intet problem;lige præcis;det lyder godt"),
  stops: words("stop vent nej undskyld øjeblik sekund"),
  stopPhrases: phrases("vent lidt;et øjeblik;lige et øjeblik;nej nej;jeg har et spørgsmål;en gang til;hvad sagde du"),
  greetings: words("hallo hej ja god morgen dag aften goddag"),
  hesitations: words("øh øhm eh hm hmm mm"),
  openTails: words(
    "en et den det de min mit mine din dit sin hans hendes vores denne dette og eller men at som hvis for på i til fra med af ved under over efter før mellem uden jeg du han hun vi er var har havde vil ville kan kunne skal skulle må ikke meget også bare når hvad hvem hvordan fordi",
  ),
  openPhrases: phrases("vent lidt;et øjeblik;lad mig se;jeg tror;jeg mener;for eksempel;det vil sige;det ved jeg ikke"),
  answers: words("ja nej jo okay ok tak hej farvel præcis intet ingen gerne"),
  questionWords: words("hvad hvem hvor hvornår hvorfor hvordan hvilken hvilket hvilke"),
  numbers: numbers(
    "nul en et to tre fire fem seks syv otte ni",
    "ti elleve tolv tretten fjorten femten seksten sytten atten nitten tyve tredive fyrre halvtreds tres halvfjerds firs halvfems",
  ),
  asks: asking({
    spelling: "stav",
    mail: "mailadresse",
    phone: "telefonnummer|mobilnummer|ringe",
    digits: "nummer|kode|cifre|pin|cpr",
    birth: "født|fødsel",
    date: "hvornår|dato|hvilken dag",
    time: "hvad tid|hvilket tidspunkt|klokken",
    name: "navn|hvad hedder|hvem taler",
    quantity: "hvor mange|hvor meget|hvor gammel|hvor længe",
    or: " eller ",
  }),
  address: { at: "snabel-a", dot: "punktum" },
};
