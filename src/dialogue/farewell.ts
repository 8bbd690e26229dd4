/** A word of goodbye in a language (BCP 47 tag), for a model that hangs up without one; English where none is known. */
export const farewell = (language: string): string => FAREWELLS[language.split("-", 1)[0] ?? ""] ?? "Goodbye.";

const FAREWELLS: Readonly<Record<string, string>> = {
  de: "Auf Wiederhören.",
  es: "Adiós.",
  fr: "Au revoir.",
  it: "Arrivederci.",
  ja: "失礼いたします。",
  nl: "Tot ziens.",
  pl: "Do widzenia.",
  pt: "Adeus.",
  zh: "再见。",
};
