import { escapeHtml } from "../reference/escape-html.ts";
import type { Api, RouteDeps } from "../route.ts";
import { PAGE_HEADERS } from "../static-page.ts";

/** The page at `/`, for whoever opens the service's address to see whether it is there. */
export const homeRoute = (app: Api, deps: RouteDeps): void => {
  app.get("/", { schema: { hide: true } }, async (_request, reply) =>
    reply.headers(PAGE_HEADERS).serializer(String).send(pageOf(deps.publicUrl())),
  );
};

const pageOf = (origin: string): string => {
  const base = escapeHtml(`${origin}/api`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>call-engine</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem; color: #1b1b1f; background: #fdfcfa; }
pre { background: #f1efe9; padding: 1rem; overflow-x: auto; border-radius: 6px; }
a { color: #0b57d0; }
@media (prefers-color-scheme: dark) { body { color: #e6e4df; background: #17171a; } pre { background: #242428; } a { color: #9ac2ff; } }
</style>
</head>
<body>
<h1>call-engine</h1>
<p>The service is running. Its API is at <code>${base}</code>; every request needs the key of the start line.</p>
<p>See the agents, then let one of them call a simulated phone:</p>
<pre>export KEY=sk_…
curl -H "Authorization: Bearer $KEY" ${base}/agents
curl -H "Authorization: Bearer $KEY" ${base}/phone_numbers
curl -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" ${base}/dials \\
  -d '{"callAgentId": "…", "fromNumberId": "…", "toNumber": "+12025550123"}'
curl -N -H "Authorization: Bearer $KEY" ${base}/dials/…/events</pre>
<ul>
<li><a href="/docs">docs</a>: every path and field</li>
<li><a href="/openapi.json">openapi.json</a>: the same for programs</li>
<li><a href="/readyz">readyz</a>: whether it can take calls</li>
<li><a href="/metrics">metrics</a>: what it counts</li>
</ul>
</body>
</html>
`;
};
