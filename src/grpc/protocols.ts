import { fileURLToPath } from "node:url";
import { loadPackageDefinition } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import type { ProtoGrpcType as ControlTypes } from "./generated/control.ts";
import type { ProtoGrpcType as HealthTypes } from "./generated/health.ts";
import type { ProtoGrpcType as ModelTypes } from "./generated/models.ts";

/** Where the .proto files lie, which the generated types and the wire format both come from. */
const ROOT = fileURLToPath(new URL("../../proto", import.meta.url));

/** The options that `bin/lib/grpc-types.ts` generates the types for: numbers, names of enum values, defaults for what is absent. */
const FORM = { longs: Number, enums: String, defaults: true, oneofs: true, includeDirs: [ROOT] };

const once = <T>(load: () => T): (() => T) => {
  let loaded: T | undefined;
  return () => (loaded ??= load());
};

const load = (file: string): unknown => loadPackageDefinition(loadSync(file, FORM));

/** The client and the service of `callengine.models.v1.ModelServer`. */
export const modelServerProtocol = once(
  () => (load("callengine/models/v1/models.proto") as ModelTypes).callengine.models.v1.ModelServer,
);

/** The client and the service of `callengine.control.v1.CallControl`. */
export const callControlProtocol = once(
  () => (load("callengine/control/v1/control.proto") as ControlTypes).callengine.control.v1.CallControl,
);

/** The client and the service of `grpc.health.v1.Health`. */
export const healthProtocol = once(() => (load("grpc/health/v1/health.proto") as HealthTypes).grpc.health.v1.Health);

export const MODEL_SERVICE = "callengine.models.v1.ModelServer";
export const CONTROL_SERVICE = "callengine.control.v1.CallControl";
