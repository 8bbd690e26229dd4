import type { CallRegistry, ProcessAddress } from "../../ports/call-registry.ts";

/** The registry of a deployment that has one process. */
export const memoryCallRegistry = (): CallRegistry => {
  const known = new Map<string, ProcessAddress>();
  const holders = new Map<string, string>();
  return {
    async announce(process, dialIds) {
      known.set(process.name, process);
      for (const dialId of dialIds) holders.set(dialId, process.name);
    },
    async hold(process, dialId) {
      known.set(process.name, process);
      holders.set(dialId, process.name);
    },
    async release({ name }, dialId) {
      if (holders.get(dialId) === name) holders.delete(dialId);
    },
    async withdraw({ name }) {
      known.delete(name);
    },
    async processes() {
      return [...known.values()];
    },
    async ownerOf(dialId) {
      return known.get(holders.get(dialId) ?? "");
    },
    async close() {
      known.clear();
      holders.clear();
    },
  };
};
