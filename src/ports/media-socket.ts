/**
 * A message socket to a carrier or a browser, stripped of its library. Text arrives as string, binary as bytes. Handlers are
 * plain calls: the media path allocates nothing per frame beyond the frame itself.
 */
export interface MediaSocket {
  /** Set once, before the first message is read; messages that come earlier are held (at most 64). `closed` gets the peer's code where it sent one. */
  listen(handlers: Readonly<{ message(data: string | Uint8Array): void; closed(code?: number): void }>): void;
  send(data: string | Uint8Array): void;
  /** Bytes that wait in this process for the peer to read. */
  readonly bufferedAmount: number;
  /** Closes with a WebSocket code (1000 normal, 1008 policy, 1013 try later). Idempotent. */
  close(code: number, reason: string): void;
}
