import type { AudioFormat } from "../../../model/audio.ts";
import type { ProviderErrorKind } from "../../../ports/provider-error.ts";
import { Socket, type SocketParts } from "../remote/socket.ts";
import type { VendorAccess } from "../remote/vendor-descriptor.ts";

/** What Deepgram's address is unless `DEEPGRAM_BASE_URL` says otherwise; there is another one for the European Union. */
export const DEEPGRAM_URL = "https://api.deepgram.com";

/** Its rule is 500 tokens together, of which a word takes up to four. */
export const KEYTERM_LIMITS = { most: 100, longest: 100, together: 1000 } as const;

/** A socket to Deepgram: `Authorization: Token`, and close codes by what they ask of the operator. */
export const deepgramSocket = (
  access: VendorAccess,
  provider: string,
  url: URL,
  hears: Pick<SocketParts, "opened" | "message" | "lost">,
): Socket =>
  new Socket({
    provider,
    url,
    headers: { authorization: `Token ${access.apiKey}` },
    advice: access.advice,
    kindOfClose: (code) => KIND_OF_CLOSE.get(code),
    ...hears,
  });

/** Deepgram takes all formats of lines as they are. */
export const setFormat = (url: URL, { encoding, sampleRate }: AudioFormat): void => {
  url.searchParams.set("encoding", encoding);
  url.searchParams.set("sample_rate", String(sampleRate));
};

/** 1008 is a payload that it cannot decode; 1011 says that nothing came for too long, or that it broke down itself. */
const KIND_OF_CLOSE: ReadonlyMap<number, ProviderErrorKind> = new Map([
  [1003, "rejected"],
  [1008, "rejected"],
  [1011, "unavailable"],
]);
