import { expect, test } from "vitest";
import { openTraces, readTraceSettings } from "../../src/app/traces.ts";
import { ConfigError } from "../../src/config.ts";
import { Scope } from "../../src/kit/scope.ts";
import type { AdapterDeps } from "../../src/ports/descriptor.ts";

test("nobody is told of anything while no collector is named", async () => {
  for (const env of [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: " " }, { OTEL_SERVICE_NAME: "calls" }]) {
    expect(readTraceSettings(env)).toBeUndefined();
    expect(await openTraces(env, {} as AdapterDeps, "me", new Scope("test"))).toBeUndefined();
  }
});

test("the variables are read as OpenTelemetry writes them", () => {
  expect(
    readTraceSettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20x%3Dy, x-tenant = a",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=staging,service.name=other",
      OTEL_SERVICE_NAME: "calls",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
    }),
  ).toEqual({
    url: "http://collector:4318/v1/traces",
    headers: { authorization: "Bearer x=y", "x-tenant": "a" },
    resource: { "service.name": "calls", "deployment.environment": "staging" },
    ratio: 0.25,
  });
  const whole = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://example.com/otlp",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://b",
  };
  expect(readTraceSettings(whole)).toMatchObject({ url: "https://example.com/otlp", ratio: 1 });
});

test("every mistake is told at once, and none with a header's value", () => {
  const read = () =>
    readTraceSettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318",
      OTEL_EXPORTER_OTLP_HEADERS: "secret%",
      OTEL_RESOURCE_ATTRIBUTES: "a=%zz",
      OTEL_TRACES_SAMPLER_ARG: "2",
    });
  expect(read).toThrow(ConfigError);
  try {
    read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.mistakes.map((mistake) => mistake.split(" ")[0] ?? "").toSorted()).toEqual([
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      "OTEL_EXPORTER_OTLP_HEADERS",
      "OTEL_RESOURCE_ATTRIBUTES",
      "OTEL_TRACES_SAMPLER_ARG",
    ]);
    expect(error.message).not.toContain("secret");
  }
});
