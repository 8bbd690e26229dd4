import { storeContract } from "../contract/store.contract.ts";
import { MemoryStore } from "./memory-store.ts";
import { VirtualClock } from "./virtual-clock.ts";

storeContract(async () => {
  const memory = new MemoryStore(new VirtualClock());
  return {
    store: memory.store,
    age: async (dialId, ms) => {
      memory.age(dialId, ms);
    },
  };
});
