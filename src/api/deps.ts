import type { CreateDialDeps, DialPolicy } from "../dials/create-dial.ts";
import type { ModelLookup } from "../dialogue/create-dialogue.ts";
import type { DialTraces } from "../dials/dial-traces.ts";
import type { Engines } from "../dials/engines.ts";
import type { Carrier } from "../ports/carrier.ts";
import type { Clock } from "../ports/clock.ts";
import type { HttpCaller } from "../ports/http-caller.ts";
import type { LiveState } from "../ports/live.ts";
import type { Logger } from "../ports/logger.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Random } from "../ports/random.ts";
import type { Recorder } from "../ports/recorder.ts";
import type { SoundConverter } from "../ports/sound-converter.ts";
import type { Store } from "../ports/store.ts";
import type { UsageChannel } from "../ports/usage-channel.ts";

/** Whether this process should be given work, as far as the store does not decide it. */
export type Readiness = Readonly<{
  /** It is stopping: live calls go on, new ones belong elsewhere. */
  draining: boolean;
  /** Why it cannot hold calls (such as models that are still loading), one sentence each; empty when it can. */
  notReady: readonly string[];
}>;

/** The part of a carrier that takes its requests. */
export type ListeningCarrier = Omit<Carrier, "place" | "hangUp" | "transfer" | "lookUp" | "acceptMedia" | "close">;

/** Everything that the API needs, from the composition root. */
export type ServerDeps = Readonly<{
  store: Pick<Store, "catalogue" | "dials" | "outbox" | "erasures" | "ping">;
  live: Pick<LiveState, "publish" | "follow" | "command" | "isHeard" | "issueTicket" | "forget">;
  queue: CreateDialDeps["queue"];
  offer?: CreateDialDeps["offer"];
  recorder: Pick<Recorder, "read" | "remove">;
  /** Reads uploads that are not WAV. */
  sounds: Pick<SoundConverter, "convert">;
  /** Carriers by the ids of their accounts. */
  carriers: ReadonlyMap<string, ListeningCarrier>;
  /** Asks customers about inbound calls. */
  http: Pick<HttpCaller, "post">;
  engines: Engines;
  /** The language models that extract once more from calls that are over. */
  models: ModelLookup;
  policy: DialPolicy;
  /** What `store.deploymentSecret()` answered; signs tokens, cursors and callback URLs. */
  deploymentSecret: string;
  /** Our origin without a slash at the end; asked when needed, because a free port is known only once we listen. */
  publicUrl(): string;
  /** A carrier has reported on a dial, and its row is up to date: whoever holds the call here need not look for itself. */
  onReport(dialId: string): void;
  requestsPerSecond: number;
  /** By which the processes of a deployment share the limits of its keys; absent where there is one process. */
  usage?: Pick<UsageChannel, "send" | "listen"> | undefined;
  /** Origins whose pages may use dial tokens, as browsers write them. */
  corsOrigins: readonly string[];
  readiness(): Readiness;
  /** A port that other processes listen at as well, so that nobody knows who of them answers there. */
  sharedPort?: number | undefined;
  clock: Clock;
  random: Random;
  logger: Logger;
  metrics: Metrics;
  traces?: DialTraces | undefined;
}>;
