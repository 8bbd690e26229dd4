import { ConfigError, type Config } from "../../config.ts";
import { readSharing, SHARING_VARIABLES } from "../shared-port.ts";
import type { Check } from "./finding.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Whether several processes can serve behind one port, where the environment asks for that; in the words that the start would use. */
export const sharingChecks = (config: Config, env: Env): readonly Check[] => {
  const isAsked = SHARING_VARIABLES.some((name) => (env[name]?.trim() ?? "") !== "");
  return isAsked ? [{ what: "processes", run: () => checkSharing(config, env) }] : [];
};

const checkSharing = async (config: Config, env: Env): ReturnType<Check["run"]> => {
  try {
    const { processes, sharedPort } = await readSharing(env, config);
    const port = sharedPort ?? config.port;
    if (processes > 1) return { state: "ok", says: `${processes} serve behind port ${port}` };
    return { state: "ok", says: sharedPort === undefined ? "one serves by itself" : `shares port ${port} with others` };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { state: "broken", says: error.mistakes.join("; ") };
  }
};
