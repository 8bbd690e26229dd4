import { createSocket, type Socket } from "node:dgram";
import type { Random } from "../../../ports/random.ts";

/** Two neighbouring ports: an even one for sound, the next for reports (RFC 3550, section 11). */
export type RtpPair = Readonly<{ sound: Socket; reports: Socket; port: number; close(): void }>;

/** No pair of ports is free. */
export class NoPorts extends Error {
  override readonly name = "NoPorts";
}

/** Opens a pair in the range, both ends included, or anywhere. @throws {NoPorts} */
export const openPair = async (
  random: Random,
  address: string,
  range: readonly [number, number] | undefined,
): Promise<RtpPair> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const pair = await tryPair(address, range === undefined ? 0 : evenPort(random, range));
    if (pair !== undefined) return pair;
  }
  throw new NoPorts("no two neighbouring UDP ports are free for a call's sound; widen SIP_RTP_PORTS");
};

/** With half of a range in use, one of a thousand million calls finds none. */
const ATTEMPTS = 30;

const evenPort = (random: Random, [first, last]: readonly [number, number]): number => {
  const even = first + (first % 2);
  const pairs = Math.floor((last - even + 1) / 2);
  return even + 2 * Math.floor(random.fraction() * pairs);
};

const tryPair = async (address: string, port: number): Promise<RtpPair | undefined> => {
  const sound = await tryBind(address, port);
  if (sound === undefined) return undefined;
  const bound = sound.address().port;
  const reports = bound % 2 === 0 ? await tryBind(address, bound + 1) : undefined;
  if (reports === undefined) {
    sound.close();
    return undefined;
  }
  let open = true;
  const close = () => {
    if (!open) return;
    open = false;
    sound.close();
    reports.close();
  };
  return { sound, reports, port: bound, close };
};

const tryBind = (address: string, port: number): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = createSocket("udp4");
    socket.once("error", () => {
      socket.close();
      resolve(undefined);
    });
    socket.bind({ port, address, exclusive: true }, () => {
      socket.removeAllListeners("error");
      // What a datagram runs into on its way is the network's loss.
      socket.on("error", () => undefined);
      resolve(socket);
    });
  });
