import { expect, test } from "vitest";
import { ApiRig } from "../kit/api-rig.ts";

test("the page at / says where the API is, loads from here alone, and nothing of it is missing", async () => {
  const rig = new ApiRig();
  const page = await rig.request("GET", "/", { key: null });
  expect(page.statusCode).toBe(200);
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  const policy = String(page.headers["content-security-policy"]);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/u);
  expect(page.body).toContain(`<code>${rig.deps.publicUrl()}/api</code>`);
  expect(page.body).not.toMatch(/\son\w+=|style=|\{\{/u);

  const loaded = new Map<string, string>();
  const queue = [...page.body.matchAll(/(?:src|href)="(\/page\/[^"]+)"/gu)].map(([, path]) => path as string);
  expect(queue.length).toBeGreaterThanOrEqual(2);
  // Named by an expression, as the built one has another name.
  queue.push("/page/browser/sound-worklet.ts");
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (loaded.has(path)) continue;
    const file = await rig.request("GET", path, { key: null });
    expect([path, file.statusCode]).toEqual([path, 200]);
    const kind = path.endsWith(".css") ? "text/css" : "text/javascript";
    expect(file.headers["content-type"]).toBe(`${kind}; charset=utf-8`);
    loaded.set(path, file.body);
    for (const [, target] of file.body.matchAll(/from "(\.[^"]+\.ts)"/gu))
      queue.push(new URL(target as string, `http://x${path}`).pathname);
  }
  expect(loaded.size).toBeGreaterThan(15);
  for (const [path, body] of loaded) if (path.endsWith(".ts")) expect(body).not.toMatch(/^import type|\bas const\b/mu);
  await rig.close();
});

test.each(["/page/api/server.ts", "/page/../config.ts", "/page/browser/nothing.ts", "/page/browser/%2e%2e/config.ts"])(
  "%s is not there",
  async (path) => {
    const rig = new ApiRig();
    expect((await rig.request("GET", path, { key: null })).statusCode).toBe(404);
    await rig.close();
  },
);
