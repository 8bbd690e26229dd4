import type { FunctionDefinition } from "../../model/function-definition.ts";
import { MAX_SUMMARY } from "../transfer-summary.ts";
import { summarize } from "./instructions.ts";
import type { TransferData } from "./node-data.ts";
import { speakOr, type SpeechDeps, type SpeechTask } from "./speech.ts";
import { fillText, type Values } from "./values.ts";

/**
 * What a transfer node's function is called with. Where its transfers are warm, whoever picks up is told the node's summary, or what the
 * model says of the call; a script, and a model that fails or takes long, say nothing of it.
 */
export const transferArguments = async (
  speech: SpeechDeps,
  definition: FunctionDefinition | undefined,
  { number, summary }: TransferData,
  values: Values,
  task: (instructions: string) => SpeechTask,
  signal: AbortSignal,
): Promise<Readonly<{ destination: string; summary?: string }>> => {
  const destination = fillText(number, values).trim();
  if (definition?.transferMode !== "warm") return { destination };
  if (summary !== undefined) return { destination, summary: fillText(summary, values) };
  let words = "";
  for await (const move of speakOr(speech, task(summarize(speech.plan.language)), "", signal)) {
    if (move.type === "say") words += move.text;
    if (words.length > MAX_SUMMARY) break;
  }
  return words.trim() === "" ? { destination } : { destination, summary: words };
};
