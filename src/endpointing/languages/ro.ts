import { asking, numbers, phrases, words, type TurnWords } from "./word-lists.ts";

export const ROMANIAN: TurnWords = {
  language: "ro",
  backchannels: words("mhm mm hm aha da bine ok okay sigur desigur exact corect înțeleg perfect super clar așa"),
  backchannelPhrases: phrases("da da;am înțeles;e bine;nicio problemă;foarte bine;e în regulă;bineînțeles"),
  stops: words("stop stai stați așteaptă așteptați moment secundă nu scuze scuzați pardon ajunge"),
  stopPhrases: phrases("un moment;o secundă;stați puțin;nu nu;am o întrebare;încă o dată;puteți repeta;nu e așa"),
  greetings: words("alo da bună salut ziua dimineața seara"),
  hesitations: words("ăă îî hm hmm ăăă păi eh"),
  openTails: words(
    "un o unei unui al a ai ale și sau dar că să dacă când cum unde pentru cu la de din pe în prin fără sub peste după până între meu mea mei mele acest această acestui este e sunt era am are aș vreau vrea pot poate trebuie nu foarte și mai care ce cine eu",
  ),
  openPhrases: phrases("un moment;o secundă;stați puțin;să văd;cred că;de exemplu;adică;nu știu"),
  answers: words("da nu bine ok mulțumesc mersi sigur exact corect nimic nimeni alo"),
  questionWords: words("ce cine unde când cum care cât câte câți câtă de"),
  numbers: numbers(
    "zero unu una doi două trei patru cinci șase șapte opt nouă",
    "zece unsprezece doisprezece treisprezece paisprezece cincisprezece șaisprezece șaptesprezece optsprezece nouăsprezece douăzeci treizeci patruzeci cincizeci șaizeci șaptezeci optzeci nouăzeci",
  ),
  asks: asking({
    spelling: "litere|liter",
    mail: "adresa de mail",
    phone: "telefon|mobil|suna înapoi|contacta",
    digits: "număr|cod|cifre|pin|cnp",
    birth: "naș",
    date: "când|dat[aă]|ce zi",
    time: "ce oră|la ce or",
    name: "nume|cum vă numiți|cu cine vorbesc",
    quantity: "cât[eăi]?|ce vârst",
    or: " sau ",
  }),
  address: { at: "arond", dot: "punct" },
};
