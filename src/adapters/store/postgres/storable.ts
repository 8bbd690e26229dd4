/** Whether a text can be an id at all: PostgreSQL stores no U+0000, so that nothing has an id that contains one. */
export const isStorable = (id: string): boolean => !id.includes("\0");
