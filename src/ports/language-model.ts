/** A JSON Schema object; passed to providers as it is. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export type Tool = Readonly<{ name: string; description: string; parameters: JsonSchema }>;

export type ToolCall = Readonly<{ id: string; name: string; /** JSON text. */ args: string }>;

export type ModelMessage =
  | Readonly<{ role: "system" | "user"; text: string }>
  | Readonly<{ role: "assistant"; text: string; calls?: readonly ToolCall[] }>
  | Readonly<{ role: "tool"; callId: string; name: string; result: string }>;

export type ModelRequest = Readonly<{
  /** The model's id in its provider's catalogue. */
  model: string;
  messages: readonly ModelMessage[];
  tools: readonly Tool[];
  /** `modelOptionValues` by option id, as strings; validated when they were written. */
  options: Readonly<Record<string, string>>;
  /** The answer is to be JSON of this schema, where the provider can hold its models to one; elsewhere the messages have to ask for it. */
  answer?: JsonSchema | undefined;
}>;

export type ModelEvent =
  | Readonly<{ type: "text"; text: string }>
  | Readonly<{ type: "call"; call: ToolCall }>
  | Readonly<{ type: "done"; inputTokens?: number; outputTokens?: number }>;

export type CatalogueModel = Readonly<{
  id: string;
  name: string;
  /** How much it reads at a time, question and answer together; absent where that is not known or always enough. */
  contextTokens?: number;
  modelOptions: readonly Readonly<{
    id: string;
    name: string;
    valueType: "STRING" | "INT" | "FLOAT";
    default: string;
    /** Bounds of a number, where the vendor has some. */
    minimum?: number;
    maximum?: number;
  }>[];
}>;

export interface LanguageModel {
  readonly name: string;
  /** True for the built-in that follows a script; wherever it shows, it is labelled so. */
  readonly scripted: boolean;
  /** The models it offers, for `GET /models`. */
  readonly models: readonly CatalogueModel[];
  /** Streams one answer, ended by `done`. Throws on failure; stops soon after `signal` aborts. */
  generate(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Makes the next `generate` begin sooner, where something can be done for that (a connection, mostly). Asks the provider nothing. */
  warm?(): void;
  close(): Promise<void>;
}
