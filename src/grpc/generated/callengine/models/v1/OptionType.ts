// Original file: callengine/models/v1/models.proto

export const OptionType = {
  OPTION_TYPE_UNSPECIFIED: 'OPTION_TYPE_UNSPECIFIED',
  OPTION_TYPE_STRING: 'OPTION_TYPE_STRING',
  OPTION_TYPE_INT: 'OPTION_TYPE_INT',
  OPTION_TYPE_FLOAT: 'OPTION_TYPE_FLOAT',
} as const;

export type OptionType =
  | 'OPTION_TYPE_UNSPECIFIED'
  | 0
  | 'OPTION_TYPE_STRING'
  | 1
  | 'OPTION_TYPE_INT'
  | 2
  | 'OPTION_TYPE_FLOAT'
  | 3

export type OptionType__Output = typeof OptionType[keyof typeof OptionType]
