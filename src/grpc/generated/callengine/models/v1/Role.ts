// Original file: callengine/models/v1/models.proto

export const Role = {
  ROLE_UNSPECIFIED: 'ROLE_UNSPECIFIED',
  ROLE_SYSTEM: 'ROLE_SYSTEM',
  /**
   * The person on the line.
   */
  ROLE_USER: 'ROLE_USER',
  /**
   * The model itself.
   */
  ROLE_ASSISTANT: 'ROLE_ASSISTANT',
  /**
   * A function's result.
   */
  ROLE_TOOL: 'ROLE_TOOL',
} as const;

export type Role =
  | 'ROLE_UNSPECIFIED'
  | 0
  | 'ROLE_SYSTEM'
  | 1
  /**
   * The person on the line.
   */
  | 'ROLE_USER'
  | 2
  /**
   * The model itself.
   */
  | 'ROLE_ASSISTANT'
  | 3
  /**
   * A function's result.
   */
  | 'ROLE_TOOL'
  | 4

export type Role__Output = typeof Role[keyof typeof Role]
