import { expect, test } from "vitest";
import { ApiRig } from "../kit/api-rig.ts";

test("the page at / shows where the API is, escaped, and may load and run nothing", async () => {
  const rig = new ApiRig();
  const response = await rig.request("GET", "/", { key: null });
  expect(response.statusCode).toBe(200);
  expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(response.headers["content-security-policy"]).toContain("default-src 'none'");
  expect(response.body).toContain(`<code>${rig.deps.publicUrl()}/api</code>`);
  expect(response.body).not.toMatch(/<script|\son\w+=/u);
  await rig.close();
});
