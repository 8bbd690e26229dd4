import { Type } from "typebox";
import { readPageFiles, type PageFile } from "../page-files.ts";
import { Problem } from "../problem.ts";
import { escapeHtml } from "../reference/escape-html.ts";
import type { Api, RouteDeps } from "../route.ts";
import { CALL_PAGE_HEADERS } from "../static-page.ts";

/** The page at `/`, where a visitor talks to an agent, and what it loads. */
export const homeRoute = (app: Api, deps: RouteDeps): void => {
  let files: Promise<ReadonlyMap<string, PageFile>> | undefined;
  const fileAt = async (path: string): Promise<PageFile> => {
    files ??= readPageFiles();
    const file = (await files).get(path);
    if (file === undefined) throw new Problem("not_found", "There is nothing at this path.");
    return file;
  };

  app.get("/", { schema: { hide: true } }, async (_request, reply) => {
    const { body } = await fileAt("browser/page/page.html");
    const base = escapeHtml(`${deps.publicUrl()}/api`);
    return reply.headers(CALL_PAGE_HEADERS).serializer(String).send(body.replaceAll("{{base}}", base));
  });

  app.get("/page/*", { schema: { hide: true, params: PathSchema } }, async (request, reply) => {
    const { contentType, body } = await fileAt(request.params["*"]);
    return reply
      .headers({ "content-type": contentType, "x-content-type-options": "nosniff" })
      .serializer(String)
      .send(body);
  });
};

const PathSchema = Type.Object({ "*": Type.String({ maxLength: 200 }) });
