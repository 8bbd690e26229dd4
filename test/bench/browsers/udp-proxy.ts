import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Random } from "../../../src/ports/random.ts";

/** What a network does to a packet: how many milliseconds it takes, or that it is lost. */
export type Weather = (random: Random) => number | "lost";

/** A network that does nothing to packets. */
const CLEAR: Weather = () => 0;

/** Loses 3 %, and has the others up to 80 ms late, each by chance. */
export const ROUGH: Weather = (random) => (random.fraction() < 0.03 ? "lost" : 80 * random.fraction());

/** A way for UDP packets on this machine, between whoever comes to its port first and `target`, through any weather. */
export class UdpProxy {
  weather: Weather = CLEAR;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #outside: Socket;
  readonly #inside = createSocket("udp4");
  #client: AddressInfo | undefined;

  private constructor(clock: Clock, random: Random, outside: Socket) {
    this.#clock = clock;
    this.#random = random;
    this.#outside = outside;
  }

  /** `target` is a port of 127.0.0.1. */
  static async open(clock: Clock, random: Random, target: number): Promise<UdpProxy> {
    const outside = createSocket("udp4").bind(0, "127.0.0.1");
    await once(outside, "listening");
    const proxy = new UdpProxy(clock, random, outside);
    proxy.#inside.bind(0, "127.0.0.1");
    await once(proxy.#inside, "listening");
    outside.on("message", (data, from) => {
      proxy.#client = { address: from.address, port: from.port, family: from.family };
      proxy.#carry(() => proxy.#inside.send(data, target, "127.0.0.1"));
    });
    proxy.#inside.on("message", (data) => {
      const client = proxy.#client;
      if (client !== undefined) proxy.#carry(() => outside.send(data, client.port, client.address));
    });
    return proxy;
  }

  get port(): number {
    return this.#outside.address().port;
  }

  close(): void {
    this.#outside.close();
    this.#inside.close();
    this.#carry = () => undefined;
  }

  #carry = (send: () => void): void => {
    const fate = this.weather(this.#random);
    if (fate === 0) send();
    else if (fate !== "lost") this.#clock.setTimer(fate, () => this.#deliver(send));
  };

  #deliver(send: () => void): void {
    try {
      send();
    } catch {
      // The proxy was closed meanwhile.
    }
  }
}
