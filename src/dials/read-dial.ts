import type { Dial } from "../model/dial.ts";
import type { DialStore } from "../ports/store.ts";
import { Refusal } from "./refusal.ts";

/**
 * A dial as a customer sees it, with the addresses of its recordings under `baseUrl` (which ends in `/api`).
 *
 * @throws {Refusal} `dial_not_found`, also for a dial of another workspace.
 */
export const readDial = async (
  dials: Pick<DialStore, "find">,
  baseUrl: string,
  workspaceId: string,
  dialId: string,
): Promise<Dial> => {
  const dial = await dials.find(workspaceId, dialId);
  if (dial === undefined) throw dialNotFound();
  if (dial.recordings === undefined) return dial;
  const recordings = dial.recordings.map((recording) => ({
    ...recording,
    url: `${baseUrl}/dials/${encodeURIComponent(dialId)}/recordings/${encodeURIComponent(recording.id)}`,
  }));
  return { ...dial, recordings };
};

/** The answer to an id that is unknown, malformed or of another workspace. */
export const dialNotFound = (): Refusal => new Refusal("dial_not_found", "There is no dial with this id.");
