import { startChat, type Chat } from "../../src/app/chat.ts";
import { readConfig } from "../../src/config.ts";

/** The chat as the command has it: with the scripted model unless the environment names another. */
export const chatWith = (env: Readonly<Record<string, string>> = {}, callFunctions = false): Chat =>
  startChat(readConfig({ ALLOW_PRIVATE_NETWORK: "true", LOG_LEVEL: "silent", ...env }), env, { callFunctions });
