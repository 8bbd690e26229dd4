import type { DoNotCall } from "../model/do-not-call.ts";
import type { PageRequest, Positioned } from "./page.ts";

/** Numbers that a workspace does not call. The claim of a dial looks at them too, in its one statement. */
export interface DoNotCallRecords {
  /** Oldest first; only the entry of `number` when it is given. */
  listDoNotCall(workspaceId: string, page: PageRequest, number?: string): Promise<Positioned<DoNotCall>>;
  /** Answers the entry that stands now: the one that was there already when `added` is false. */
  addDoNotCall(
    workspaceId: string,
    entry: Omit<DoNotCall, "createdAt">,
  ): Promise<Readonly<{ entry: DoNotCall; added: boolean }>>;
  removeDoNotCall(workspaceId: string, id: string): Promise<DoNotCall | undefined>;
}
