import manifest from "../../package.json" with { type: "json" };
import { ConfigError } from "../config.ts";
import { DialTraces } from "../dials/dial-traces.ts";
import type { Scope } from "../kit/scope.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The variables that are read here; names and forms are those of OpenTelemetry. */
export const TRACE_VARIABLES = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_SERVICE_NAME",
  "OTEL_RESOURCE_ATTRIBUTES",
  "OTEL_TRACES_SAMPLER_ARG",
] as const;

type Name = (typeof TRACE_VARIABLES)[number];

export type TraceSettings = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  resource: Readonly<Record<string, string>>;
  ratio: number;
}>;

/** Whether this process sends traces. */
export const tracesWanted = (env: Env): boolean =>
  (["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"] as const).some(
    (name) => (env[name]?.trim() ?? "") !== "",
  );

/**
 * Where traces go; `undefined` while nobody wants any.
 *
 * @throws {ConfigError} with all mistakes at once; none repeats a header, which may hold a key.
 */
export const readTraceSettings = (env: Env): TraceSettings | undefined => {
  const text = (name: Name) => env[name]?.trim() || undefined;
  const mistakes: string[] = [];
  const whole = text("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  const base = text("OTEL_EXPORTER_OTLP_ENDPOINT");
  if (!tracesWanted(env)) return undefined;
  const url = whole ?? `${base?.replace(/\/+$/, "")}/v1/traces`;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    mistakes.push("OTEL_EXPORTER_OTLP_ENDPOINT must be a URL such as http://collector:4318");
  const pairs = (name: Name) => {
    const found = pairsIn(text(name) ?? "");
    if (found === undefined) mistakes.push(`${name} must be pairs such as a=b,c=d, with %-escapes where needed`);
    return found ?? {};
  };
  const share = text("OTEL_TRACES_SAMPLER_ARG") ?? "1";
  const ratio = /^\d(\.\d+)?$/.test(share) ? Number(share) : Number.NaN;
  if (!(ratio >= 0 && ratio <= 1))
    mistakes.push(`OTEL_TRACES_SAMPLER_ARG must be a share of the dials from 0 to 1, not "${share}"`);
  const settings = {
    url,
    headers: pairs("OTEL_EXPORTER_OTLP_HEADERS"),
    resource: {
      "service.name": "call-engine",
      ...pairs("OTEL_RESOURCE_ATTRIBUTES"),
      ...(text("OTEL_SERVICE_NAME") === undefined ? {} : { "service.name": text("OTEL_SERVICE_NAME") ?? "" }),
    },
    ratio,
  };
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return settings;
};

/** `a=b,c=d`, whose values may be %-escaped; `undefined` of anything else. */
const pairsIn = (text: string): Readonly<Record<string, string>> | undefined => {
  try {
    const entries = text
      .split(",")
      .filter((pair) => pair.trim() !== "")
      .map((pair) => {
        const [, name, value] = /^\s*([\w.\-/]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
        if (name === undefined || value === undefined) throw new URIError("no pair");
        return [name, decodeURIComponent(value)] as const;
      });
    return Object.fromEntries(entries);
  } catch {
    return undefined;
  }
};

/** Traces of dials, where they are wanted; what is waiting is sent when the scope closes. The packages for it are loaded only then. */
export const openTraces = async (
  env: Env,
  deps: AdapterDeps,
  instance: string,
  scope: Scope,
): Promise<DialTraces | undefined> => {
  const settings = readTraceSettings(env);
  if (settings === undefined) return undefined;
  const { OtlpTracer } = await import("../adapters/tracing/otlp.ts");
  const resource = { "service.version": manifest.version, "service.instance.id": instance, ...settings.resource };
  const tracer = new OtlpTracer({ ...settings, resource, ...deps });
  scope.onClose(() => tracer.close());
  return new DialTraces(tracer, deps.clock);
};
