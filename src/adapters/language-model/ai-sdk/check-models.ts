import { kindOfStatus, ProviderError } from "../../../ports/provider-error.ts";

export type ModelsQuestion = Readonly<{
  provider: string;
  /** Where the vendor lists its models; asking for it needs the key and costs nothing. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Where answers are asked for, of endpoints that may have no list. */
  answersAt?: string;
  /** The model that is asked unless a prompt says otherwise. */
  model: string;
}>;

/** Endpoints of one's own may have no list; whether they would give answers is then what can be known of them. */
const NO_LIST: ReadonlySet<number> = new Set([404, 405, 501]);

/**
 * Asks a vendor which models it has.
 *
 * @throws {ProviderError} when it cannot be reached, refuses the key, lists its models and the default one is not among them, or has no list
 * and gives no answers either.
 */
export const checkModels = async (question: ModelsQuestion, signal: AbortSignal): Promise<void> => {
  const { provider, url, headers, model, answersAt } = question;
  const response = await ask(provider, url, { headers, signal });
  if (NO_LIST.has(response.status)) {
    await response.body?.cancel();
    if (answersAt !== undefined) await checkAnswers(provider, answersAt, headers, signal);
    return;
  }
  const kind = kindOfStatus(response.status);
  if (kind !== undefined) {
    await response.body?.cancel();
    throw new ProviderError(provider, kind, `answered ${response.status}`);
  }
  const listed = idsIn(await response.json().catch(() => undefined));
  // The list has the full names of models that are also known by shorter ones.
  if (listed !== undefined && !listed.some((id) => id === model || id.startsWith(model)))
    throw new ProviderError(provider, "rejected", `does not list the model ${model}`);
};

const ask = async (provider: string, url: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, init);
  } catch (cause) {
    throw new ProviderError(provider, "unavailable", "cannot be reached", cause);
  }
};

/** Asks for an answer to nothing, which costs nothing: whoever knows the address says what is missing, and nobody else does. */
const checkAnswers = async (
  provider: string,
  url: string,
  headers: ModelsQuestion["headers"],
  signal: AbortSignal,
): Promise<void> => {
  const init = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: "{}", signal };
  const response = await ask(provider, url, init);
  const { status } = response;
  const json: unknown = await response.json().catch(() => undefined);
  const kind = kindOfStatus(status);
  if (kind !== undefined && kind !== "rejected") throw new ProviderError(provider, kind, `answered ${status}`);
  const knowsIt = isObject(json) && "error" in json;
  if (status === 405 || (status === 404 && !knowsIt))
    throw new ProviderError(provider, "rejected", `gives no answers at ${url}; its address mostly ends in /v1`);
};

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** The ids of a list that is complete; `undefined` for anything else. */
const idsIn = (answer: unknown): readonly string[] | undefined => {
  if (!isObject(answer)) return undefined;
  if (("has_more" in answer && answer.has_more === true) || "nextPageToken" in answer) return undefined;
  const list = memberOf(answer, "data") ?? memberOf(answer, "models");
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((one: unknown) => {
    if (!isObject(one)) return [];
    const id = memberOf(one, "id") ?? memberOf(one, "name");
    return typeof id === "string" ? [id.replace(/^models\//u, "")] : [];
  });
};

const memberOf = (object: object, name: string): unknown => (object as Readonly<Record<string, unknown>>)[name];
