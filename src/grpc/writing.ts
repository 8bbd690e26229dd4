/** The writing half of a gRPC stream. */
type Sink<Message> = Readonly<{
  write(message: Message): boolean;
  once(event: "drain" | "close" | "error" | "cancelled", listener: () => void): unknown;
  off(event: "drain" | "close" | "error" | "cancelled", listener: () => void): unknown;
}> & { readonly destroyed?: boolean };

/**
 * Writes one message and waits while the other side's window is full, until the stream has room or is over: this is how a slow reader
 * slows its writer down.
 */
export const written = async <Message>(sink: Sink<Message>, message: Message): Promise<void> => {
  if (sink.write(message) || sink.destroyed === true) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const events = ["drain", "close", "error", "cancelled"] as const;
  for (const event of events) sink.once(event, resolve);
  try {
    await promise;
  } finally {
    for (const event of events) sink.off(event, resolve);
  }
};
