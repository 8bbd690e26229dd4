import type { FastifyInstance } from "fastify";
import type { Access } from "./auth.ts";

/**
 * Remembers every route as it is added, and answers which methods a path takes: all of them, for 405 and its `Allow` header, or
 * those of one access.
 */
export const recordRoutes = (app: FastifyInstance): ((path: string, access?: Access) => readonly string[]) => {
  const routes: { parts: readonly string[]; method: string; access: Access | undefined }[] = [];
  app.addHook("onRoute", ({ url, method, config }) => {
    for (const one of [method].flat()) routes.push({ parts: url.split("/"), method: one, access: config?.access });
  });
  return (path, access) => {
    const parts = path.split("/");
    const matching = routes.filter(
      (route) => matches(route.parts, parts) && (access === undefined || route.access === access),
    );
    return [...new Set(matching.map(({ method }) => method))].toSorted();
  };
};

const matches = (pattern: readonly string[], parts: readonly string[]): boolean =>
  pattern.at(-1) === "*"
    ? pattern.slice(0, -1).every((part, at) => part === parts[at])
    : pattern.length === parts.length &&
      pattern.every((part, at) => (part.startsWith(":") ? parts[at] !== "" : part === parts[at]));
