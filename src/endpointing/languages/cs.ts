import { asking, numbers, phrases, words, type TurnWords } from "./word-lists.ts";

export const CZECH: TurnWords = {
  language: "cs",
  backchannels: words(
    "mhm mm hm aha jo jojo ano ok okej dobře dobrá jasně rozumím chápu přesně správně super fajn výborně samozřejmě",
  ),
  backchannelPhrases: phrases("no jo;jo jo;ano ano;v pořádku;žádný problém;to chápu;velmi dobře;tak jo"),
  stops: words("stop stůj počkej počkejte moment momentík chvilku vteřinu ne promiňte pardon dost"),
  stopPhrases: phrases("počkejte chvíli;jen moment;ne ne;mám otázku;ještě jednou;můžete zopakovat;to není"),
  greetings: words("haló prosím ano dobrý den ahoj večer ráno"),
  hesitations: words("ehm eee hmm hm no eh"),
  openTails: words(
    "a i ale nebo že aby protože když jestli který která které s se v ve na do od za po o u pro bez pod nad před mezi můj moje mou ten ta to tento je jsou byl byla bude mám má chci chtěl chtěla bych můžu mohu musím ne velmi taky ještě jak co kdo kde",
  ),
  openPhrases: phrases("moment prosím;podívám se;myslím že;například;to znamená;nevím;počkejte chvíli"),
  answers: words("ano ne jo dobře ok děkuji díky jasně přesně správně nic nikdo haló prosím"),
  questionWords: words("co kdo kde kdy proč jak jaký jaká jaké který která kolik odkud kam"),
  numbers: numbers(
    "nula jedna jeden dva dvě tři čtyři pět šest sedm osm devět",
    "deset jedenáct dvanáct třináct čtrnáct patnáct šestnáct sedmnáct osmnáct devatenáct dvacet třicet čtyřicet padesát šedesát sedmdesát osmdesát devadesát",
  ),
  asks: asking({
    spelling: "hlásk",
    mail: "mailov",
    phone: "telefon|mobil|zavolat zpět",
    digits: "číslo|kód|psč|číslic|pin",
    birth: "naroz",
    date: "kdy|datum|který den",
    time: "kolik hodin|v kolik",
    name: "jméno|příjmení|jak se jmen|s kým mluvím",
    quantity: "kolik",
    or: " nebo ",
  }),
  address: { at: "zavináč", dot: "tečka" },
};
