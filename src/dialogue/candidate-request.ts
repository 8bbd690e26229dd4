import type { ModelMessage, ModelRequest } from "../ports/language-model.ts";
import { fitMessages } from "./context-window.ts";
import type { ChosenModel } from "./prompt-dialogue.ts";

/**
 * What a model is asked in another one's place: the same, with what was said so far. `other`: it is not the one that the options were
 * made for, so it gets only those that it has itself, and no more of the call than it reads at a time.
 */
export const requestTo = (
  candidate: ChosenModel,
  request: ModelRequest,
  said: string,
  other: boolean,
): ModelRequest => {
  const known = candidate.model.models.find(({ id }) => id === candidate.modelId)?.modelOptions.map(({ id }) => id);
  const options = other
    ? Object.fromEntries(Object.entries(request.options).filter(([id]) => known?.includes(id)))
    : request.options;
  const soFar: readonly ModelMessage[] =
    said.trim() === ""
      ? []
      : [
          { role: "assistant", text: said },
          { role: "user", text: BROKE_OFF },
        ];
  const messages = other ? fitMessages(candidate, request.messages, request.tools) : request.messages;
  return { ...request, model: candidate.modelId, options, messages: [...messages, ...soFar] };
};

const BROKE_OFF =
  "[Your answer broke off exactly there; all of it was heard. Go on with the next word, and repeat nothing of it.]";
