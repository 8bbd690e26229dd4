/** A process that holds calls, as others reach it. */
export type ProcessAddress = Readonly<{
  /** Unique among all that ever ran. */
  name: string;
  /** Origin that takes the websockets of its calls, such as `http://10.0.0.7:8080`. */
  mediaUrl: string;
  /** `grpc://host:port` or `grpcs://host:port`; absent: it takes no orders from others. */
  controlUrl?: string;
}>;

/** How long what was announced holds without being announced again, in milliseconds. */
export const ANNOUNCED_MS = 30_000;

/** Which process holds which call, as far as it is known; never the record of it. All but `close` reject while the registry is away. */
export interface CallRegistry {
  /** The process is there for another 30 s, and holds these dials. */
  announce(process: ProcessAddress, dialIds: readonly string[]): Promise<void>;
  /** The process has taken one more dial. */
  hold(process: ProcessAddress, dialId: string): Promise<void>;
  /** The process holds the dial no longer; does nothing where another one holds it. */
  release(process: ProcessAddress, dialId: string): Promise<void>;
  /** The process is going. */
  withdraw(process: ProcessAddress): Promise<void>;
  processes(): Promise<readonly ProcessAddress[]>;
  ownerOf(dialId: string): Promise<ProcessAddress | undefined>;
  close(): Promise<void>;
}
