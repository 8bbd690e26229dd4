import type { Config } from "../config.ts";
import type { Scope } from "../kit/scope.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import type { Recorder } from "../ports/recorder.ts";
import { Housekeeper } from "../worker/housekeeper.ts";
import { RecordingKeeper } from "../worker/recording-keeper.ts";
import type { Stores } from "./stores.ts";

type Kept = Readonly<{ config: Config; deps: AdapterDeps; stores: Stores; recorder: Recorder }>;

/** Where calls are held is where their recordings lie. Stops when the scope closes. */
export const startRecordingKeeper = ({ deps, stores, recorder }: Kept, scope: Scope): void => {
  const keeper = new RecordingKeeper({ ...deps, dials: stores.store.dials, recorder });
  keeper.start();
  scope.onClose(() => {
    keeper.stop();
  });
};

/** Takes out what may no longer be kept. Stops when the scope closes. */
export const startHousekeeper = ({ config, deps, stores, recorder }: Kept, scope: Scope): void => {
  const { live, store } = stores;
  const keeper = new Housekeeper({ ...deps, live, recorder, erasures: store.erasures }, config);
  keeper.start();
  scope.onClose(() => keeper.stop());
};
