import pg from "pg";

/** SQLSTATE unique_violation. */
const UNIQUE_VIOLATION = "23505";

/** Whether a statement failed because a row with the same key is there already; `index` is the name of the unique index. */
export const isConflict = (error: unknown, index: string): boolean =>
  error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === index;
