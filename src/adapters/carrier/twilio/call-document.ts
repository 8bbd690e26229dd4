import type { CallAddresses, CallbackAnswer, DeclineReason } from "../../../ports/carrier.ts";

/**
 * Connects the call's sound with our media socket. When the stream ends and the call does not, the carrier comes back to our address
 * and is told whether there is something to go on with.
 */
export const connectDocument = ({ mediaUrl, answerUrl }: Pick<CallAddresses, "mediaUrl" | "answerUrl">): string =>
  document(
    `<Connect><Stream url="${escape(mediaUrl)}"/></Connect><Redirect method="POST">${escape(answerUrl)}</Redirect>`,
  );

/** Rings somebody else for the person, who comes back to our address when that person is not reached or has hung up. */
export const transferDocument = (
  to: string,
  back: Readonly<{ answerUrl: string; callerId: string | undefined; ringMs: number }>,
): string => {
  const callerId = back.callerId === undefined ? "" : ` callerId="${escape(back.callerId)}"`;
  const action = `action="${escape(back.answerUrl)}" method="POST"`;
  return document(
    `<Dial ${action} timeout="${Math.round(back.ringMs / 1000)}"${callerId}><Number>${escape(to)}</Number></Dial>`,
  );
};

/** A person waits, with music, in a room until somebody comes into it; when either of them leaves, the room is closed. */
export const waitingDocument = (room: string, answerUrl: string): string =>
  document(
    `<Dial action="${escape(answerUrl)}" method="POST"><Conference beep="false" startConferenceOnEnter="false" endConferenceOnExit="true">` +
      `${escape(room)}</Conference></Dial>`,
  );

/** Somebody is told what it is about, and then comes into the room where the person waits. */
export const briefingDocument = (
  room: string,
  { text, language }: Readonly<{ text: string; language: string }>,
): string =>
  document(
    `<Say language="${escape(voiceLanguage(language))}">${escape(text)}</Say>` +
      `<Dial><Conference beep="false" startConferenceOnEnter="true" endConferenceOnExit="true">${escape(room)}</Conference></Dial>`,
  );

/** Takes a call on to the document at an address. */
export const redirectDocument = (url: string): string => document(`<Redirect method="POST">${escape(url)}</Redirect>`);

/** The carrier's voices want a region; what has one is left as it is. */
const voiceLanguage = (language: string): string =>
  language.includes("-") ? language : (REGIONS[language] ?? language);

const REGIONS: Readonly<Record<string, string>> = {
  ar: "ar-XA",
  cs: "cs-CZ",
  da: "da-DK",
  de: "de-DE",
  en: "en-US",
  es: "es-ES",
  fi: "fi-FI",
  fr: "fr-FR",
  hi: "hi-IN",
  it: "it-IT",
  ja: "ja-JP",
  ko: "ko-KR",
  nb: "nb-NO",
  nl: "nl-NL",
  no: "nb-NO",
  pl: "pl-PL",
  pt: "pt-PT",
  ru: "ru-RU",
  sv: "sv-SE",
  tr: "tr-TR",
  uk: "uk-UA",
  zh: "cmn-CN",
};

export const hangUpDocument = (): string => document("<Hangup/>");

/** A call that was not answered costs its caller nothing, and sounds to them as it is. */
export const rejectDocument = (why: DeclineReason): string =>
  document(`<Reject reason="${why === "busy" ? "busy" : "rejected"}"/>`);

/** The answer that holds a document. */
export const asAnswer = (body: string): CallbackAnswer => ({
  status: 200,
  contentType: "text/xml; charset=utf-8",
  body,
});

const document = (verbs: string): string => `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs}</Response>`;

const escape = (text: string): string => text.replaceAll(/[<>&"']/g, (character) => ENTITIES[character] ?? "");

const ENTITIES: Readonly<Record<string, string>> = {
  "<": "&lt;",
  ">": "&gt;",
  "&": "&amp;",
  '"': "&quot;",
  "'": "&apos;",
};
