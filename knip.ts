import { globSync, readFileSync } from "node:fs";
import type { KnipConfig } from "knip";

// The registry finds providers by their folder, and nothing imports them; each has its descriptor as default export.
const providers = globSync(
  "src/adapters/{carrier,language-model,synthesizer,transcriber,turn-detector,vad}/**/*.ts",
).filter((path) => /^export default /m.test(readFileSync(path, "utf8")));

export default {
  entry: [
    "src/main.ts",
    "src/demo/main.ts",
    "src/client/client.ts",
    "src/browser/{browser-call,sound-worklet}.ts",
    "src/browser/page/page.ts",
    ...providers,
    "test/**/*.test.ts",
    "test/bench/**/*.ts",
    "bin/lib/{gate,missing-packages,complete-lockfile,generate-client,generate-grpc-types}.ts",
  ],
  project: ["src/**/*.ts", "test/**/*.ts", "bin/**/*.ts"],
  ignoreExportsUsedInFile: true,
  // The peer of the bench has a package.json of its own, installed when it is asked for.
  ignoreDependencies: ["@livekit/agents", "@livekit/rtc-node"],
  // Programs of the system, which bin/test brings.
  ignoreBinaries: ["baresip", "ffmpeg", "redis-server", "sipp", "taskset"],
} satisfies KnipConfig;
