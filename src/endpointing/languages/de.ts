import { asking, numbers, phrases, words, type TurnWords } from "./word-lists.ts";

export const GERMAN: TurnWords = {
  language: "de",
  backchannels: words(
    "mhm mm-hm hm hmm aha ach oh ah ja jaja jo jep okay ok gut genau klar richtig stimmt super prima schön toll eben so",
  ),
  backchannelPhrases: phrases(
    "ach so;alles klar;ich verstehe;verstehe;ist gut;kein problem;na klar;sehr gut;ja ja;genau so;macht sinn",
  ),
  stops: words("stopp stop halt moment warte warten nein nee entschuldigung sorry verzeihung bitte"),
  stopPhrases: phrases(
    "einen moment;moment mal;warte mal;warten sie;hören sie;darf ich;nein nein;eine sekunde;noch einmal;wie bitte;ich habe eine frage;lassen sie mich",
  ),
  greetings: words("hallo ja guten tag morgen abend servus moin grüezi hi bitte"),
  hesitations: words("äh ähm öh öhm hm hmm ehm mh tja"),
  openTails: words(
    "ein eine einen einem einer eines der die das den dem des mein meine meinen meinem meiner ihr ihre sein seine dieser diese dieses " +
      "und oder aber weil wenn dass ob als wie zu zum zur von vom mit bei beim für auf in im an am aus nach über unter vor um gegen ohne " +
      "durch bis seit ich er sie es wir ihr du bin ist sind war waren habe hat haben hätte möchte will würde kann könnte muss soll sollte " +
      "nicht sehr auch noch dann also nächsten nächste nächster was wer wo wann warum welche welcher welches",
  ),
  openPhrases: phrases(
    "einen moment;moment mal;mal sehen;mal schauen;warten sie;ich glaube;ich denke;ich meine;zum beispiel;und zwar;lassen sie mich",
  ),
  answers: words(
    "ja nein doch okay ok gut genau richtig danke tschüss wiederhören hallo stimmt klar gerne nichts keine",
  ),
  questionWords: words(
    "was wer wen wem wo wohin woher wann warum wieso weshalb wie welche welcher welches wieviel wieviele",
  ),
  numbers: numbers(
    "null eins ein zwei zwo drei vier fünf sechs sieben acht neun",
    "zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
  ),
  asks: asking({
    spelling: "buchstabier",
    mail: "mailadresse",
    phone: "telefonnummer|handynummer|rückrufnummer|mobilnummer|erreichen",
    digits: "nummer|postleitzahl|ziffern|code|pin|kennzahl",
    birth: "geburtsdatum|geburtstag|geboren",
    date: "wann|datum|welche[mnr]? tag",
    time: "uhrzeit|wie viel uhr|um wieviel uhr|um wie viel",
    name: "name|wer sind sie|mit wem",
    quantity: "wie ?viele?|wie alt|wie lange|wie oft|wie groß",
    or: " oder ",
  }),
  address: { at: "ät|at|klammeraffe", dot: "punkt" },
};
