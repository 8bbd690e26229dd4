import type { FastifyInstance } from "fastify";

/** Remembers every route as it is added, and answers which methods a path takes; for 405 and its `Allow` header. */
export const recordRoutes = (app: FastifyInstance): ((path: string) => readonly string[]) => {
  const routes: { parts: readonly string[]; method: string }[] = [];
  app.addHook("onRoute", ({ url, method }) => {
    for (const one of [method].flat()) routes.push({ parts: url.split("/"), method: one });
  });
  return (path) => {
    const parts = path.split("/");
    const matching = routes.filter((route) => matches(route.parts, parts));
    return [...new Set(matching.map(({ method }) => method))].toSorted();
  };
};

const matches = (pattern: readonly string[], parts: readonly string[]): boolean =>
  pattern.at(-1) === "*"
    ? pattern.slice(0, -1).every((part, at) => part === parts[at])
    : pattern.length === parts.length &&
      pattern.every((part, at) => (part.startsWith(":") ? parts[at] !== "" : part === parts[at]));
