import { Type, type TSchema } from "typebox";
import { Nullable } from "./nullable.ts";

/** One page of a list; `cursor` is null on the last one. */
export const PageSchema = <T extends TSchema>(item: T) =>
  Type.Object({ data: Type.Array(item), cursor: Nullable(Type.String()) });

export const PageQuerySchema = Type.Object(
  {
    limit: Type.Optional(Type.String({ description: "1 to 1000; default 100." })),
    cursor: Type.Optional(Type.String({ description: "The cursor of the previous page, unchanged." })),
  },
  { additionalProperties: false },
);
