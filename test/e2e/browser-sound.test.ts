import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO_AGENT_ID } from "../../src/app/demo-workspace.ts";
import { writeWav } from "../../src/audio/wav.ts";

import { makeSpeaker } from "../kit/spoken.ts";
import { startService, type RunningService } from "./running-service.ts";

/** The greeting takes some two seconds to say; then the visitor asks, and asks again whenever the microphone's file begins anew. */
const QUESTION_AT_MS = 3000;
const PAUSE_MS = 8000;

let folder: string;
let service: RunningService;
let browser: BrowserContext;
let origin: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-engine-browser-"));
  await chmod(folder, 0o711);
  const speak = await makeSpeaker();
  const question = speak("What time do you open on Saturday?");
  const microphone = new Int16Array(16 * QUESTION_AT_MS + question.length + 16 * PAUSE_MS);
  microphone.set(question, 16 * QUESTION_AT_MS);
  await writeFile(join(folder, "microphone.wav"), writeWav({ samples: microphone, sampleRate: 16_000 }));
  service = await startService({ DATA_DIR: join(folder, "data") });
  origin = new URL(service.baseUrl).origin;
  await service.client.updateAgent({ id: DEMO_AGENT_ID, body: { openingLine: "Hello, this is Robin." } });
  browser = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-audio-capture=${join(folder, "microphone.wav")}`,
      "--allow-loopback-in-peer-connection",
    ],
  });
});

afterAll(async () => {
  await browser.close();
  expect(await service.end("SIGTERM")).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

const open = async (path: string): Promise<Readonly<{ page: Page; errors: string[] }>> => {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(`${origin}${path}`);
  return { page, errors };
};

/** The visitor is greeted, asks, reads both sides of the conversation, and hangs up. */
const converse = async (page: Page, sound: string): Promise<void> => {
  try {
    await page.getByRole("status").getByText("Connected").waitFor();
    expect(await page.locator("#sound").innerText()).toBe(sound);
    const agent = page.locator('#transcript li[data-speaker="AI"]');
    await agent.getByText(/Hello/u).first().waitFor();
    await page
      .locator('#transcript li[data-speaker="HUMAN"]')
      .getByText(/saturday/iu)
      .first()
      .waitFor();
    await agent
      .getByText(/re open/u)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Hang up" }).click();
    await page.getByRole("status").getByText("(completed)").waitFor();
  } catch (error) {
    const shown = await page.locator("main").innerText();
    throw new Error(`the page shows: ${shown}\nthe service says: ${service.log()}`, { cause: error });
  }
};

test("a visitor with a dial token talks to the agent by WebRTC and reads the transcript", async () => {
  const { dialId, dialToken } = await service.client.createDial({
    body: { callAgentId: DEMO_AGENT_ID, browserCall: true },
  });
  const { page, errors } = await open(`/#${dialToken}`);
  expect(page.url()).not.toContain("eyJ");
  await page.getByRole("button", { name: "Call" }).click();
  await converse(page, "WebRTC");
  expect(errors).toEqual([]);
  const dial = await service.until(dialId, ({ status }) => status === "completed", 10_000);
  expect(dial).toMatchObject({ endReason: "counterparty_hangup", systemResultType: "COUNTERPARTY_HANGUP" });
  expect(dial.recordings).toHaveLength(1);
  await page.close();
});

test("whoever runs the service talks to an agent of choice by the key, and over the socket", async () => {
  const { page, errors } = await open("/");
  await page.getByLabel("Dial token or API key").fill(service.apiKey);
  await page.getByLabel("Dial token or API key").blur();
  await page.locator("#agent").selectOption("Robin at the front desk");
  await page.locator("summary", { hasText: "Sound" }).click();
  await page.getByLabel("How it travels").selectOption("socket");
  await page.getByRole("button", { name: "Call" }).click();
  await converse(page, "Socket");
  expect(errors).toEqual([]);
});
