import type { Engines } from "../dials/engines.ts";
import type { Random } from "../ports/random.ts";
import type { Catalogue } from "../ports/store.ts";

/** What the use cases of a workspace's records need. */
export type CatalogueDeps = Readonly<{
  catalogue: Catalogue;
  engines: Engines;
  policy: Readonly<{
    /** The carrier of each configured account, by the account's id. */
    carriers: ReadonlyMap<string, string>;
    /** Whether addresses that customers give may lead into private networks. */
    allowPrivateNetwork: boolean;
  }>;
  random: Random;
}>;
