import { afterEach } from "vitest";
import { ApiRig, type ApiRigOptions } from "./api-rig.ts";

/** Starts rigs that are closed after the test that started them; called once in a test file. */
export const openApiRigs = (): ((options?: ApiRigOptions) => ApiRig) => {
  const rigs: ApiRig[] = [];
  afterEach(async () => {
    await Promise.all(rigs.splice(0).map((rig) => rig.close()));
  });
  return (options) => {
    const rig = new ApiRig(options);
    rigs.push(rig);
    return rig;
  };
};
