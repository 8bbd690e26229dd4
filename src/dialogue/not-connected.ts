/** Tells in a language (BCP 47 tag) that a transfer has failed, where nothing else is to be said of it; English where no words are known. */
export const notConnected = (language: string): string => WORDS[language.split("-", 1)[0] ?? ""] ?? ENGLISH;

const ENGLISH = "I'm sorry, I could not connect you.";

const WORDS: Readonly<Record<string, string>> = {
  de: "Es tut mir leid, ich konnte Sie nicht verbinden.",
  es: "Lo siento, no he podido comunicarle.",
  fr: "Je suis désolé, je n'ai pas pu vous mettre en relation.",
  it: "Mi dispiace, non sono riuscito a metterla in contatto.",
  nl: "Het spijt me, ik kon u niet doorverbinden.",
  pt: "Lamento, não consegui transferir a chamada.",
};
