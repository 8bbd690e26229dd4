import { Type, type TSchema } from "typebox";

/** A field that may be null; in `interface.md` written `string | null`. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
