import { expect, test } from "vitest";
import { callerIntent, isGreeting, type CallerIntent } from "../../src/endpointing/caller-intent.ts";

test.for<[CallerIntent, readonly string[]]>([
  ["nothing", ["", "…", "  ", "?!"]],
  [
    "backchannel",
    [
      "mm-hm",
      "Mm hm.",
      "uh-huh",
      "Yeah.",
      "yeah yeah",
      "okay, sure",
      "I see.",
      "got it",
      "Oh, all right.",
      "That makes sense.",
      "No problem.",
      "right, of course",
    ],
  ],
  [
    "stop",
    [
      "Stop!",
      "wait",
      "Wait, wait.",
      "no no",
      "No.",
      "hang on",
      "Okay, hang on.",
      "one second",
      "Excuse me.",
      "sorry?",
      "hold on a minute",
      "just a moment",
      "yeah, no, stop",
      "that's enough",
      "I have a question",
    ],
  ],
  [
    "turn",
    [
      "yeah but how much is it",
      "Yeah, but…",
      "what about Tuesday",
      "I",
      "okay and what does it cost",
      "I would like to wait until Monday then",
      "Tuesday",
      "can you repeat that",
    ],
  ],
])("over the agent these are a %s", ([intent, texts]) => {
  for (const text of texts) expect([text, callerIntent(text)]).toEqual([text, intent]);
});

test.for<[string, string, string, string]>([
  ["de-AT", "ja genau", "Moment mal", "aber was kostet das"],
  ["es-MX", "sí, claro", "un momento", "pero cuánto cuesta"],
  ["fr", "d'accord, très bien", "attendez", "mais combien ça coûte"],
  ["it-IT", "va bene", "aspetti un attimo", "ma quanto costa"],
  ["pt", "tá bom", "espera", "mas quanto custa"],
  ["nl-NL", "ja, precies", "wacht even", "maar wat kost dat"],
])("%s: %j, %j and %j are told apart", ([language, backchannel, stop, turn]) => {
  expect(callerIntent(backchannel, language)).toBe("backchannel");
  expect(callerIntent(stop, language)).toBe("stop");
  expect(callerIntent(turn, language)).toBe("turn");
});

test("a language without lists is judged by the English ones", () => {
  expect(callerIntent("okay", "fi")).toBe("backchannel");
  expect(callerIntent("mitä se maksaa", "fi-FI")).toBe("turn");
});

test("people answer the phone in their own language", () => {
  expect(isGreeting("Guten Tag", "de")).toBe(true);
  expect(isGreeting("¿Diga?", "es-ES")).toBe(true);
  expect(isGreeting("Pronto", "it")).toBe(true);
  expect(isGreeting("Guten Tag, wer spricht da", "de")).toBe(false);
});
