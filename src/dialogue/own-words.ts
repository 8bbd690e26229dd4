import { FURTHER_WORDS } from "./own-words-further.ts";
import type { OwnWords } from "./words-of-language.ts";

/** The words of a language by its BCP 47 tag; `undefined` for languages that have none here. */
export const ownWordsIn = (language: string): OwnWords | undefined => {
  const [main = ""] = language.toLowerCase().split("-", 1);
  return Object.hasOwn(WORDS, main) ? WORDS[main] : undefined;
};

/** The words of a language, English where it has none. */
export const ownWords = (language: string): OwnWords => ownWordsIn(language) ?? ENGLISH;

const ENGLISH: OwnWords = {
  goodbye: "Goodbye.",
  fillers: ["One moment.", "Just a second.", "I'm still here."],
  waiting: ["One moment, please.", "This is taking a little longer, thank you for your patience."],
  connecting: "One moment, please. I'm connecting you now.",
  notConnected: "I'm sorry, I could not connect you.",
  callComes: "A caller is being connected to you.",
  stillThere: "Are you still there?",
  gaveUp: "I'm sorry, that did not work out. How else can I help you?",
  trouble: "I'm sorry, I'm having technical trouble and have to end this call. Goodbye.",
  troubleConnecting: "I'm sorry, I'm having technical trouble. One moment, please, I'm connecting you with somebody.",
  mustEnd: "I'm sorry, I have to end this call now. Goodbye.",
};

const WORDS: Readonly<Record<string, OwnWords>> = {
  en: ENGLISH,
  de: {
    goodbye: "Auf Wiederhören.",
    fillers: ["Einen Moment.", "Eine Sekunde noch.", "Ich bin noch da."],
    waiting: ["Einen Moment bitte.", "Es dauert noch einen Augenblick, vielen Dank für Ihre Geduld."],
    connecting: "Einen Moment bitte, ich verbinde Sie.",
    notConnected: "Es tut mir leid, ich konnte Sie nicht verbinden.",
    callComes: "Ein Anruf wird zu Ihnen durchgestellt.",
    stillThere: "Sind Sie noch da?",
    gaveUp: "Es tut mir leid, das hat nicht geklappt. Wie kann ich Ihnen sonst helfen?",
    trouble: "Es tut mir leid, ich habe technische Schwierigkeiten und muss das Gespräch beenden. Auf Wiederhören.",
    troubleConnecting:
      "Es tut mir leid, ich habe technische Schwierigkeiten. Einen Moment bitte, ich verbinde Sie weiter.",
    mustEnd: "Es tut mir leid, ich muss das Gespräch jetzt beenden. Auf Wiederhören.",
  },
  es: {
    goodbye: "Adiós.",
    fillers: ["Un momento.", "Un segundo.", "Sigo aquí."],
    waiting: ["Un momento, por favor.", "Está tardando un poco más, gracias por su paciencia."],
    connecting: "Un momento, por favor, le comunico.",
    notConnected: "Lo siento, no he podido comunicarle.",
    callComes: "Le paso una llamada.",
    stillThere: "¿Sigue ahí?",
    gaveUp: "Lo siento, no ha funcionado. ¿En qué más puedo ayudarle?",
    trouble: "Lo siento, tengo problemas técnicos y debo terminar la llamada. Adiós.",
    troubleConnecting: "Lo siento, tengo problemas técnicos. Un momento, por favor, le comunico con alguien.",
    mustEnd: "Lo siento, debo terminar la llamada ahora. Adiós.",
  },
  fr: {
    goodbye: "Au revoir.",
    fillers: ["Un instant.", "Une seconde.", "Je suis toujours là."],
    waiting: ["Un instant, s'il vous plaît.", "Cela prend un peu plus de temps, merci de patienter."],
    connecting: "Un instant, je vous mets en relation.",
    notConnected: "Je suis désolé, je n'ai pas pu vous mettre en relation.",
    callComes: "Un appel vous est transféré.",
    stillThere: "Êtes-vous toujours là ?",
    gaveUp: "Je suis désolé, cela n'a pas fonctionné. Comment puis-je vous aider autrement ?",
    trouble: "Je suis désolé, j'ai un problème technique et je dois terminer cet appel. Au revoir.",
    troubleConnecting:
      "Je suis désolé, j'ai un problème technique. Un instant, je vous mets en relation avec quelqu'un.",
    mustEnd: "Je suis désolé, je dois terminer cet appel maintenant. Au revoir.",
  },
  it: {
    goodbye: "Arrivederci.",
    fillers: ["Un momento.", "Un secondo.", "Sono ancora qui."],
    waiting: ["Un momento, per favore.", "Ci vuole ancora un attimo, grazie per la pazienza."],
    connecting: "Un momento, la metto in contatto.",
    notConnected: "Mi dispiace, non sono riuscito a metterla in contatto.",
    callComes: "Le passo una chiamata.",
    stillThere: "È ancora lì?",
    gaveUp: "Mi dispiace, non ha funzionato. In che altro modo posso aiutarla?",
    trouble: "Mi dispiace, ho un problema tecnico e devo terminare la chiamata. Arrivederci.",
    troubleConnecting: "Mi dispiace, ho un problema tecnico. Un momento, la metto in contatto con qualcuno.",
    mustEnd: "Mi dispiace, ora devo terminare la chiamata. Arrivederci.",
  },
  nl: {
    goodbye: "Tot ziens.",
    fillers: ["Een moment.", "Een seconde.", "Ik ben er nog."],
    waiting: ["Een ogenblik, alstublieft.", "Het duurt iets langer, dank u voor uw geduld."],
    connecting: "Een ogenblik, ik verbind u door.",
    notConnected: "Het spijt me, ik kon u niet doorverbinden.",
    callComes: "Er wordt een gesprek naar u doorverbonden.",
    stillThere: "Bent u er nog?",
    gaveUp: "Het spijt me, dat is niet gelukt. Waarmee kan ik u anders helpen?",
    trouble: "Het spijt me, ik heb een technisch probleem en moet dit gesprek beëindigen. Tot ziens.",
    troubleConnecting: "Het spijt me, ik heb een technisch probleem. Een ogenblik, ik verbind u door met iemand.",
    mustEnd: "Het spijt me, ik moet dit gesprek nu beëindigen. Tot ziens.",
  },
  pt: {
    goodbye: "Adeus.",
    fillers: ["Um momento.", "Só um segundo.", "Ainda estou aqui."],
    waiting: ["Um momento, por favor.", "Está a demorar um pouco mais, obrigado pela paciência."],
    connecting: "Um momento, vou transferir a chamada.",
    notConnected: "Lamento, não consegui transferir a chamada.",
    callComes: "Estamos a transferir uma chamada para si.",
    stillThere: "Ainda está aí?",
    gaveUp: "Lamento, não resultou. Em que mais posso ajudar?",
    trouble: "Lamento, estou com problemas técnicos e tenho de terminar a chamada. Adeus.",
    troubleConnecting: "Lamento, estou com problemas técnicos. Um momento, vou transferir a chamada para alguém.",
    mustEnd: "Lamento, tenho de terminar a chamada agora. Adeus.",
  },
  ...FURTHER_WORDS,
};
