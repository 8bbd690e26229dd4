import { kindOfStatus, ProviderError } from "../../../ports/provider-error.ts";

export type ModelsQuestion = Readonly<{
  provider: string;
  /** Where the vendor lists its models; asking for it needs the key and costs nothing. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The model that is asked unless a prompt says otherwise. */
  model: string;
}>;

/** Endpoints of one's own may have no list; that they answer at all is what can be known of them. */
const NO_LIST: ReadonlySet<number> = new Set([404, 405, 501]);

/**
 * Asks a vendor which models it has.
 *
 * @throws {ProviderError} when it cannot be reached, refuses the key, or lists its models and the default one is not among them.
 */
export const checkModels = async (
  { provider, url, headers, model }: ModelsQuestion,
  signal: AbortSignal,
): Promise<void> => {
  let response: Response;
  try {
    response = await fetch(url, { headers, signal });
  } catch (cause) {
    throw new ProviderError(provider, "unavailable", "cannot be reached", cause);
  }
  if (NO_LIST.has(response.status)) {
    await response.body?.cancel();
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

/** The ids of a list that is complete; `undefined` for anything else. */
const idsIn = (answer: unknown): readonly string[] | undefined => {
  if (typeof answer !== "object" || answer === null) return undefined;
  if (("has_more" in answer && answer.has_more === true) || "nextPageToken" in answer) return undefined;
  const list = memberOf(answer, "data") ?? memberOf(answer, "models");
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((one: unknown) => {
    if (typeof one !== "object" || one === null) return [];
    const id = memberOf(one, "id") ?? memberOf(one, "name");
    return typeof id === "string" ? [id.replace(/^models\//u, "")] : [];
  });
};

const memberOf = (object: object, name: string): unknown => (object as Readonly<Record<string, unknown>>)[name];
