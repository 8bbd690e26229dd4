import { status, type ServerDuplexStream } from "@grpc/grpc-js";
import { decodeLinear16 } from "../audio/linear16.ts";
import type { DetectTurnRequest__Output } from "../grpc/generated/callengine/models/v1/DetectTurnRequest.ts";
import type { DetectTurnResponse } from "../grpc/generated/callengine/models/v1/DetectTurnResponse.ts";
import { written } from "../grpc/writing.ts";
import type { TurnDetector } from "../ports/turn-detector.ts";
import { HEARING_RATE } from "../ports/vad.ts";
import { Refusal } from "./refusal.ts";

export type DetectTurnCall = ServerDuplexStream<DetectTurnRequest__Output, DetectTurnResponse>;

/** Judges each time that it is asked, by the end of the sound so far. */
export const detectTurn = async (detector: TurnDetector, call: DetectTurnCall): Promise<void> => {
  const most = Math.round((detector.windowMs * HEARING_RATE) / 1000) * 2;
  let sound = Buffer.alloc(0);
  for await (const { audio, judge } of call as AsyncIterable<DetectTurnRequest__Output>) {
    if (audio.length % 2 !== 0) throw new Refusal(status.INVALID_ARGUMENT, "sound must be whole samples of 16 bits");
    if (audio.length > 0) sound = Buffer.concat([sound, audio]).subarray(-most);
    if (judge) await written(call, { probability: await detector.judge(decodeLinear16(sound)) });
  }
};
