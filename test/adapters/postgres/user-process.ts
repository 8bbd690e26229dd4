import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { startEmbeddedPostgres } from "../../../src/adapters/postgres/embedded.ts";
import { SystemRandom } from "../../../src/adapters/random/system.ts";
import { silentLogger } from "../../kit/silent-logger.ts";

/** A process that uses the server of the data folder in its first argument, until a line on standard input lets it end. */
const clock = new SystemClock();
const [dataDir = ""] = process.argv.slice(2);
const server = await startEmbeddedPostgres({ dataDir, logger: silentLogger(), clock, random: new SystemRandom() });
process.stdout.write(`${JSON.stringify({ url: server.url, pid: server.pid, folder: server.folder })}\n`);
process.stdin.once("data", () => {
  process.stdin.destroy();
  void server.stop();
});
