/** A promise with its two ends held apart. Settling it twice keeps the first. */
export type Deferred<T> = Readonly<{
  promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}>;

export const deferred = <T>(): Deferred<T> => Promise.withResolvers<T>();
