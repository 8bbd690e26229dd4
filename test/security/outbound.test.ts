import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "../../src");

/** Every file that connects to an address, and whose address that is. Where it is a customer's, there is one way out, which is guarded. */
const WAYS_OUT: Readonly<Record<string, string>> = {
  "adapters/http/guarded-http-caller.ts": "a customer's: webhooks, functions, announcements of calls that come in",
  "adapters/http/carrier-http-client.ts": "the operator's: the carrier's API",
  "adapters/language-model/ai-sdk/check-models.ts": "the operator's: the model server of LLM_BASE_URL",
  "adapters/language-model/ai-sdk/warm-connections.ts": "the operator's: the model server of LLM_BASE_URL",
  "adapters/transcriber/remote/socket.ts": "the operator's: a vendor of transcription",
  "adapters/synthesizer/streaming/vendor-socket.ts": "the operator's: a vendor of voices",
  "adapters/synthesizer/streaming/vendor-http.ts": "the operator's: a vendor of voices",
  "adapters/synthesizer/openai/http-speaker.ts": "the operator's: a vendor of voices",
  "adapters/recorder/object-store.ts": "the operator's: the store of recordings",
  "adapters/model-files/download.ts": "ours: the package registry",
  "adapters/carrier/simulation/callback-poster.ts": "ours: a simulated carrier's callbacks",
  "adapters/carrier/simulation/phone.ts": "ours: a simulated carrier's sound",
  "adapters/carrier/twilio/loopback-phone.ts": "ours: a simulated carrier's sound",
  "adapters/carrier/sip/sip-network.ts": "the operator's: a SIP trunk, and whoever rings from an address of its",
  "adapters/synthesizer/streaming/voice-list.ts": "nobody's: a function that is called fetch",
  "adapters/phrases/redis.ts": "nobody's: a function that is called fetch",
  "app/doctor/public-url.ts": "the operator's: PUBLIC_URL",
  "worker/forward-socket.ts": "ours: the process that holds a call",
};

/** What opens a connection: fetch, HTTP and websocket clients, sockets. */
const CONNECTS =
  /(?<![.\w#"])fetch\((?!\.)|new WebSocket\(|\brequest as request|import \{[^}]*\b(?:request|connect|createConnection)\b[^}]*\} from "(?:undici|node:https?|node:net|node:tls)"|buildConnector/;

const files = async (): Promise<readonly string[]> =>
  (await readdir(SRC, { recursive: true })).filter(
    // What runs in a customer's browser or program is not in this network.
    (file) => file.endsWith(".ts") && !/^(?:browser|client|demo)\//.test(file),
  );

test("whatever connects to an address is known, and only the guarded caller connects to a customer's", async () => {
  const found: string[] = [];
  for (const file of await files()) {
    const code = (await readFile(join(SRC, file), "utf8")).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    if (CONNECTS.test(code)) found.push(file);
  }
  expect(found.filter((file) => WAYS_OUT[file] === undefined)).toEqual([]);
  const idle = Object.keys(WAYS_OUT).filter((file) => existsSync(join(SRC, file)) && !found.includes(file));
  expect(idle).toEqual([]);
});

test("wherever the guard is made, it lets nothing private through but by the operator's word", async () => {
  const makers: string[] = [];
  const lets: string[] = [];
  for (const file of await files()) {
    const code = await readFile(join(SRC, file), "utf8");
    for (const [, allowed = ""] of code.matchAll(/new GuardedHttpCaller\([^;]*allowPrivateNetwork: ([^,} ]+)/g)) {
      makers.push(file);
      if (!["false", "config.allowPrivateNetwork"].includes(allowed)) lets.push(file);
    }
  }
  expect(makers).toContain("app.ts");
  expect(lets).toEqual([]);
});
