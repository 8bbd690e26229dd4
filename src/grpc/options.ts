import type { CatalogueModel } from "../ports/language-model.ts";
import type { Option, Option__Output } from "./generated/callengine/models/v1/Option.ts";

type ModelOption = CatalogueModel["modelOptions"][number];

/** What can be set for a voice or a model, from the wire; those of unknown types are left out. */
export const fromWireOptions = (options: readonly Option__Output[]): ModelOption[] =>
  options.flatMap(({ id, name, type, default: value, minimum, maximum }) => {
    const valueType = TYPES.find((one) => `OPTION_TYPE_${one}` === type);
    if (valueType === undefined) return [];
    return {
      id,
      name,
      valueType,
      default: value,
      ...(minimum === undefined ? {} : { minimum }),
      ...(maximum === undefined ? {} : { maximum }),
    };
  });

/** The same for the wire. */
export const toWireOptions = (options: readonly ModelOption[] = []): Option[] =>
  options.map(({ id, name, valueType, default: value, minimum, maximum }) => ({
    id,
    name,
    type: `OPTION_TYPE_${valueType}` as const,
    default: value,
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  }));

const TYPES = ["STRING", "INT", "FLOAT"] as const;
