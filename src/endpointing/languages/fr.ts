import { asking, numbers, phrases, words, type TurnWords } from "./word-lists.ts";

export const FRENCH: TurnWords = {
  language: "fr",
  backchannels: words(
    "mhm mm hm hmm ah oh oui ouais bien bon d'accord ok okay voilà exact exactement parfait super certes entendu",
  ),
  backchannelPhrases: phrases(
    "d'accord;je vois;je comprends;bien sûr;très bien;ça marche;pas de problème;c'est ça;c'est bon;tout à fait;oui oui;ah bon",
  ),
  stops: words("stop attends attendez arrêtez arrête pardon excusez non pause minute"),
  stopPhrases: phrases(
    "un instant;un moment;une minute;une seconde;non non;excusez moi;excusez-moi;j'ai une question;laissez moi;laissez-moi;pas ça;comment ça;vous pouvez répéter",
  ),
  greetings: words("allô allo oui bonjour bonsoir salut"),
  hesitations: words("euh heu hum hem ben bah mmm"),
  openTails: words(
    "un une des le la les l' du de d' mon ma mes son sa ses votre vos notre nos leur ce cet cette ces à au aux en dans sur sous avec " +
      "sans pour par chez vers entre et ou mais donc car parce que qui quand si comme où est sont était suis ai a ont je j'ai tu il elle " +
      "nous vous ils on c'est voudrais veux peux peut pourrais dois faut très plus moins aussi alors prochain prochaine chaque autre quel quelle",
  ),
  openPhrases: phrases(
    "un instant;un moment;une seconde;attendez;voyons;je crois;je pense;parce que;par exemple;c'est à dire;est-ce que;je voudrais",
  ),
  answers: words("oui non si ouais merci bonjour d'accord exact exactement parfait rien aucun voilà"),
  questionWords: words("que quoi qui quel quelle quels quelles où quand comment combien pourquoi qu'est-ce"),
  numbers: numbers(
    "zéro un une deux trois quatre cinq six sept huit neuf",
    "dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante",
  ),
  asks: asking({
    spelling: "épel",
    mail: "courriel|adresse mail",
    phone: "téléphone|portable|joindre|rappeler",
    digits: "numéro|code|chiffres",
    birth: "naissance|êtes-vous né|né\\(?e?\\)? le",
    date: "quand|quelle date|quel jour",
    time: "quelle heure",
    name: "votre nom|prénom|vous appelez|à qui ai-je|qui est à l'appareil",
    quantity: "combien|quel âge",
    or: " ou ",
  }),
  address: { at: "arobase", dot: "point" },
};
