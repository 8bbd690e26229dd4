import type { CallEvents } from "../browser-call.ts";

type Entry = CallEvents["transcript"];

const NAMES = { AI: "Agent", HUMAN: "You", IVR: "Menu" } as const;

/** The conversation as it grows; an entry that is told again takes the place of what it was. */
export class TranscriptView {
  readonly #list: HTMLOListElement;
  readonly #items = new Map<string, HTMLLIElement>();

  constructor(list: HTMLOListElement) {
    this.#list = list;
  }

  clear(): void {
    this.#items.clear();
    this.#list.replaceChildren();
  }

  show(entry: Entry): void {
    const key = `${entry.speaker} ${entry.startTimeMs} ${entry.detailType ?? ""} ${entry.functionCallId ?? ""}`;
    const item = this.#items.get(key) ?? this.#add(key, entry);
    const who = document.createElement("span");
    who.className = "who";
    who.textContent = NAMES[entry.speaker];
    item.replaceChildren(who, textOf(entry));
    item.hidden = textOf(entry) === "";
  }

  #add(key: string, entry: Entry): HTMLLIElement {
    const item = document.createElement("li");
    item.dataset["speaker"] = entry.speaker;
    if (entry.detailType !== null) item.dataset["detail"] = entry.detailType;
    this.#items.set(key, item);
    this.#list.append(item);
    return item;
  }
}

const textOf = ({ text, detailType, functionCalls }: Entry): string =>
  detailType === "function" && functionCalls !== undefined ? functionCalls.map(({ name }) => name).join(", ") : text;
