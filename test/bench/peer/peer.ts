import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * The peer as a program that speaks the protocol of `call-engine bench-engine`. Its packages are no dependency of the project: they lie
 * in the folder that `PEER_PACKAGES` names (`bring-peer.ts`), and are looked for there.
 */
const packages = process.env["PEER_PACKAGES"];
if (packages === undefined)
  throw new Error("PEER_PACKAGES names no folder: npm run bench -- --peer starts this program");
const parentURL = pathToFileURL(`${packages}/`).href;
registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier,
      specifier.startsWith("@livekit/") && context.parentURL?.includes("/node_modules/") !== true
        ? { ...context, parentURL }
        : context,
    ),
});
const { servePeer } = await import("./peer-server.ts");
await servePeer();
