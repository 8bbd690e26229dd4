import type { status } from "@grpc/grpc-js";

/** An order that is not carried out; `details` goes to whoever gave it. */
export class ControlRefusal extends Error {
  override readonly name = "ControlRefusal";
  readonly code: status;
  readonly details: string;

  constructor(code: status, details: string) {
    super(details);
    this.code = code;
    this.details = details;
  }
}
