import { Type } from "typebox";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { LanguageModel } from "../../../ports/language-model.ts";
import { ScriptedModel } from "./scripted-model.ts";

/** The built-in that needs no key and no network: a demo agent that follows a script, labelled so wherever it shows. */
export default {
  name: "scripted",
  env: Type.Object({}),
  available: () => Promise.resolve(true as const),
  create: (_env, deps) => ScriptedModel.start(deps.clock, deps.logger),
} satisfies Descriptor<LanguageModel>;
