/** A workspace as an operator sees it; what is in it is its customers'. */
export type WorkspaceSummary = Readonly<{
  id: string;
  /** What the operator calls it; absent for workspaces that were made without a name. */
  name?: string;
  /** ISO 8601. */
  createdAt: string;
  /** API keys that it has now. */
  keys: number;
}>;

/** The first secret key of a workspace, of which only the hash is kept. */
export type FirstKey = Readonly<{ id: string; sha256: string; label: string }>;

/** The workspaces of a deployment, across all of them: for operators at the machine, and for no request. */
export interface Workspaces {
  /** Makes a workspace and its first secret key, both or neither. */
  add(workspace: Readonly<{ id: string; name: string }>, key: FirstKey): Promise<void>;
  /** Oldest first. */
  list(): Promise<readonly WorkspaceSummary[]>;
  /** Adds a secret key; false, and nothing is added, where there is no such workspace. */
  addKey(workspaceId: string, key: FirstKey): Promise<boolean>;
}
