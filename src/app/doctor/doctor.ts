import type { Config } from "../../config.ts";
import type { AdapterDeps } from "../../ports/descriptor.ts";
import { misspeltVariables } from "../misspelt-variables.ts";
import { carrierChecks } from "./carriers.ts";
import { choiceChecks } from "./choices.ts";
import { examine, redactor, type Check, type Finding } from "./finding.ts";
import { emptySlots, providerChecks } from "./providers.ts";
import { publicUrlCheck } from "./public-url.ts";
import { sharingChecks } from "./sharing.ts";
import { storeChecks } from "./stores.ts";

/**
 * Looks at everything that the service will need, without starting it and without changing anything that it keeps, and gives what it finds in the
 * order of its parts. No line holds a secret.
 */
export async function* examineAll(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
  deps: AdapterDeps,
): AsyncGenerator<Finding> {
  const redact = redactor(env);
  const carriers = await carrierChecks(env, deps);
  const needsAddress = carriers.some(({ what }) => what !== "carrier");
  const checks = [
    ...storeChecks(config, env, deps),
    ...sharingChecks(config, env),
    ...(await providerChecks(env, deps)),
    ...choiceChecks(config, env, deps),
    ...carriers,
    publicUrlCheck(config, deps.random, needsAddress),
  ];
  const findings: Finding[] = [];
  for await (const finding of inOrder(checks, deps)) {
    findings.push(finding);
    yield { ...finding, says: redact(finding.says) };
  }
  yield* emptySlots(findings);
  for (const { name, meant } of await misspeltVariables(env))
    yield { what: "environment", state: "lesser", says: `${name} does nothing; ${meant} was probably meant` };
}

/** All at once, and told in their order. */
async function* inOrder(checks: readonly Check[], { clock }: AdapterDeps): AsyncGenerator<Finding> {
  const examined = checks.map((check) => examine(check, clock));
  for (const one of examined) yield await one;
}
