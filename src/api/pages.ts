import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKey } from "../dials/derive-key.ts";
import type { PageRequest, Positioned } from "../ports/page.ts";
import { Problem } from "./problem.ts";

const DEFAULT_LIMIT = 100;
const MOST = 1000;

export type PageQuery = Readonly<{ limit?: string; cursor?: string }>;

type Position = NonNullable<Positioned<unknown>["next"]>;

/** Reads page queries and writes cursors, which are signed together with the workspace and the endpoint they belong to. */
export type Pages = Readonly<{
  /** @throws {Problem} for a limit out of range, or a cursor that was not issued for this workspace and endpoint. */
  read(query: PageQuery, workspaceId: string, endpoint: string): PageRequest;
  cursor(position: Position | null, workspaceId: string, endpoint: string): string | null;
}>;

/** A page as lists answer it. */
export const answerPage = async <T>(
  pages: Pages,
  list: Readonly<{
    query: PageQuery;
    workspaceId: string;
    /** What the cursor is good for: the list's path, without its query. */
    endpoint: string;
    read: (page: PageRequest) => Positioned<T> | Promise<Positioned<T>>;
  }>,
): Promise<{ data: T[]; cursor: string | null }> => {
  const { query, workspaceId, endpoint } = list;
  const { items, next } = await list.read(pages.read(query, workspaceId, endpoint));
  return { data: [...items], cursor: pages.cursor(next, workspaceId, endpoint) };
};

/** Cursors: `base64url(JSON).base64url(HMAC-SHA-256)`. Clients pass them back unchanged and read nothing into them. */
export const createPages = (deploymentSecret: string): Pages => {
  const key = deriveKey(deploymentSecret, "page-cursor");
  const sign = (payload: string, workspaceId: string, endpoint: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify([workspaceId, endpoint, payload]))
      .digest("base64url");
  return {
    read: (query, workspaceId, endpoint) => {
      const limit = readLimit(query.limit);
      if (query.cursor === undefined) return { limit };
      const [payload = "", signature = "", ...rest] = query.cursor.split(".");
      if (rest.length > 0 || !same(signature, sign(payload, workspaceId, endpoint))) throw foreignCursor();
      const [createdAt, id] = JSON.parse(Buffer.from(payload, "base64url").toString()) as [string, string];
      return { limit, after: { createdAt, id } };
    },
    cursor: (position, workspaceId, endpoint) => {
      if (position === null) return null;
      const payload = Buffer.from(JSON.stringify([position.createdAt, position.id])).toString("base64url");
      return `${payload}.${sign(payload, workspaceId, endpoint)}`;
    },
  };
};

/** A page of a list that is in memory as a whole, in the order of its ids. */
export const pageInMemory = <T extends Readonly<{ id: string }>>(
  items: readonly T[],
  page: PageRequest,
): Positioned<T> => {
  const after = page.after?.id;
  const rest = items
    .filter((item) => after === undefined || item.id > after)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const taken = rest.slice(0, page.limit);
  const last = taken.at(-1);
  return {
    items: taken,
    next: last === undefined || rest.length <= page.limit ? null : { createdAt: "", id: last.id },
  };
};

const readLimit = (text: string | undefined): number => {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MOST) return limit;
  const message = `must be a whole number from 1 to ${MOST}`;
  throw new Problem("validation_failed", `limit ${message}`, { errors: [{ path: "/limit", message }] });
};

const same = (a: string, b: string): boolean => {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
};

const foreignCursor = (): Problem =>
  new Problem("invalid_cursor", "Pass back the cursor of the previous page of this list, unchanged.", {
    errors: [{ path: "/cursor", message: "was not issued for this list" }],
  });
