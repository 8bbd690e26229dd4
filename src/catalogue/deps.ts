import type { Engines } from "../dials/engines.ts";
import type { Random } from "../ports/random.ts";
import type { Catalogue } from "../ports/store.ts";

/** What the use cases of a workspace's records need. */
export type CatalogueDeps = Readonly<{
  catalogue: Catalogue;
  engines: Engines;
  policy: Readonly<{
    /** Names of the carriers that are configured. */
    carriers: ReadonlySet<string>;
    /** Whether addresses that customers give may lead into private networks. */
    allowPrivateNetwork: boolean;
  }>;
  random: Random;
}>;
