import { Compile } from "typebox/compile";
import { ClientMessageSchema, MOST_TEXT_BYTES, type ClientMessage } from "../../model/browser-protocol.ts";

const checker = Compile(ClientMessageSchema);

/** Reads a text message of a browser; `undefined` when it is none that the protocol knows. */
export const readClientMessage = (text: string): ClientMessage | undefined => {
  if (text.length > MOST_TEXT_BYTES) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return checker.Check(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
