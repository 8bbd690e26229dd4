import type { RawBuilder } from "kysely";

/** Numbered, never changed once released; all pending ones run in one transaction. */
export type Migration = Readonly<{ name: string; statements: readonly RawBuilder<unknown>[] }>;
