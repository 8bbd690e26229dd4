import { asking, numbers, phrases, words, type TurnWords } from "./word-lists.ts";

export const DUTCH: TurnWords = {
  language: "nl",
  backchannels: words(
    "mhm mm hm hmm aha ah oh ja jaja jep oké ok okay goed precies juist klopt prima mooi fijn super zeker tuurlijk",
  ),
  backchannelPhrases: phrases(
    "ik snap het;ik begrijp het;is goed;geen probleem;heel goed;ja ja;oh ja;dat klopt;natuurlijk;ga door",
  ),
  stops: words("stop wacht ho nee sorry pardon moment momentje"),
  stopPhrases: phrases(
    "wacht even;een moment;even wachten;momentje;nee nee;ik heb een vraag;wat zegt u;nog een keer;mag ik;laat me;neem me niet kwalijk",
  ),
  greetings: words("hallo ja hoi goedemorgen goedemiddag goedenavond met dag"),
  hesitations: words("eh uh ehm uhm hm hmm nou tja"),
  openTails: words(
    "een de het mijn jouw uw zijn haar ons onze hun deze dit die dat en of maar want omdat als dat toen terwijl te van voor met bij op in " +
      "aan uit naar over onder door om tegen zonder tot sinds tussen ik jij je u hij zij ze we wij ben is was waren heb heeft hebben had " +
      "wil wilde zou kan kon moet mag zal niet heel erg ook nog dan dus volgende elke elk andere wat wie waar wanneer waarom welke hoe",
  ),
  openPhrases: phrases(
    "wacht even;even kijken;een moment;ik denk;ik geloof;ik bedoel;bijvoorbeeld;dat wil zeggen;laat me;ik weet niet",
  ),
  answers: words("ja nee oké ok goed precies bedankt dank dag doei hallo klopt juist niets geen prima"),
  questionWords: words("wat wie waar wanneer waarom hoe welke welk hoeveel waarheen"),
  numbers: numbers(
    "nul een één twee drie vier vijf zes zeven acht negen",
    "tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig dertig veertig vijftig zestig zeventig tachtig negentig",
  ),
  asks: asking({
    spelling: "spel",
    mail: "mailadres",
    phone: "telefoonnummer|mobiele nummer|bereiken|terugbellen",
    digits: "nummer|postcode|cijfers|code|pin",
    birth: "geboorte|geboren",
    date: "wanneer|datum|welke dag",
    time: "hoe laat|welk tijdstip",
    name: "naam|met wie spreek|hoe heet",
    quantity: "hoeveel|hoe oud|hoe lang|hoe vaak",
    or: " of ",
  }),
  address: { at: "apenstaartje|at", dot: "punt" },
};
