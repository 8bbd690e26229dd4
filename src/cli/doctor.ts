import { makeDeps } from "../app.ts";
import { examineAll } from "../app/doctor/doctor.ts";
import { readConfig } from "../config.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Prints what is well and what is not, one line each; answers 1 when something is broken. */
export const runDoctor = async (env: Env): Promise<number> => {
  const config = readConfig(env);
  // Its own lines say what is wrong; those of the parts would say it twice.
  const deps = makeDeps({ ...config, logLevel: "silent" }, env);
  try {
    let broken = 0;
    for await (const { state, what, says } of examineAll(config, env, deps)) {
      if (state === "broken") broken += 1;
      process.stdout.write(`${state.padEnd(6)}  ${what.padEnd(WHAT_WIDTH)}  ${says}\n`);
    }
    process.stdout.write(broken === 0 ? "nothing is broken\n" : `${broken} broken\n`);
    return broken === 0 ? 0 : 1;
  } finally {
    deps.metrics.close();
  }
};

const WHAT_WIDTH = 32;
