/** Which part of a list is wanted. */
export type PageRequest = Readonly<{
  limit: number;
  /** Last row of the previous page, from our own signed cursor. */
  after?: Readonly<{ createdAt: string; id: string }> | undefined;
}>;

/** What a page needs to make the next cursor. */
export type Positioned<T> = Readonly<{ items: readonly T[]; next: Readonly<{ createdAt: string; id: string }> | null }>;
