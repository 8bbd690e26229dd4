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
  ["pl", "no tak, jasne", "proszę poczekać", "ale ile to kosztuje"],
  ["ru-RU", "да, понятно", "подождите", "а сколько это стоит"],
  ["uk", "так, добре", "зачекайте хвилину", "а скільки це коштує"],
  ["cs", "ano, jasně", "moment, prosím", "ale kolik to stojí"],
  ["sv-SE", "ja, just det", "vänta lite", "men vad kostar det"],
  ["da", "ja, præcis", "vent lidt", "men hvad koster det"],
  ["nb-NO", "ja, akkurat", "vent litt", "men hva koster det"],
  ["fi-FI", "joo, selvä", "odota hetki", "mitä se maksaa"],
  ["tr", "evet, tamam", "bir dakika", "ama bu ne kadar"],
  ["ro", "da, am înțeles", "stați puțin", "dar cât costă"],
  ["id", "iya, baik", "tunggu sebentar", "tapi berapa harganya"],
  ["hi-IN", "हाँ, ठीक है", "एक मिनट", "लेकिन कितने का है"],
  ["ar", "نعم، تمام", "لحظة من فضلك", "لكن كم السعر"],
  ["zh-CN", "嗯，好的。", "等一下！", "那个多少钱"],
  ["ja", "はい、そうですね。", "ちょっと待って。", "いくらかかりますか"],
  ["ja-JP", "なるほど", "はい、すみません、違います", "もっと安いのはありますか"],
  ["zh-TW", "没问题，好的", "我有一个问题", "你们几点关门"],
  ["ko", "네, 알겠습니다.", "잠깐만요.", "그런데 얼마예요"],
])("%s: %j, %j and %j are told apart", ([language, backchannel, stop, turn]) => {
  expect(callerIntent(backchannel, language)).toBe("backchannel");
  expect(callerIntent(stop, language)).toBe("stop");
  expect(callerIntent(turn, language)).toBe("turn");
});

test("a language without lists is judged by what people say everywhere", () => {
  expect(callerIntent("okay", "sw")).toBe("backchannel");
  expect(callerIntent("Stop!", "sw-KE")).toBe("stop");
  expect(callerIntent("on ni bei gani", "sw")).toBe("turn");
});

test("people answer the phone in their own language", () => {
  expect(isGreeting("Guten Tag", "de")).toBe(true);
  expect(isGreeting("¿Diga?", "es-ES")).toBe(true);
  expect(isGreeting("Pronto", "it")).toBe(true);
  expect(isGreeting("Guten Tag, wer spricht da", "de")).toBe(false);
});
