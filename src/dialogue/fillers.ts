/** Words that ask for a moment and promise nothing; they are said before anybody knows what the answer is. */
const FILLERS: Readonly<Record<string, readonly string[]>> = {
  en: ["One moment.", "Just a second.", "I'm still here."],
  de: ["Einen Moment.", "Eine Sekunde noch.", "Ich bin noch da."],
  es: ["Un momento.", "Un segundo.", "Sigo aquí."],
  fr: ["Un instant.", "Une seconde.", "Je suis toujours là."],
  it: ["Un momento.", "Un secondo.", "Sono ancora qui."],
  nl: ["Een moment.", "Een seconde.", "Ik ben er nog."],
  pt: ["Um momento.", "Só um segundo.", "Ainda estou aqui."],
};

/** Fillers in a language by its BCP 47 tag; none where it has no words here. */
export const fillersIn = (language: string): readonly string[] => FILLERS[language.split("-", 1)[0] ?? ""] ?? [];
