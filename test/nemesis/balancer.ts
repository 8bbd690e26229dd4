import { createServer, connect, type AddressInfo, type Server, type Socket } from "node:net";
import { sleep, type Clock } from "../../src/ports/clock.ts";

const LOOK_MS = 250;
const LATE_MS = 2_000;

/**
 * One address for many processes, as a balancer in front of a deployment has it: connections go in turns to the processes that say on
 * `/readyz` that they may be given any, whatever the connections are for, and those that are open are never cut.
 */
export class Balancer {
  readonly #server: Server;
  readonly #clock: Clock;
  readonly #ports = new Set<number>();
  readonly #ready = new Set<number>();
  readonly #sockets = new Set<Socket>();
  #turn = 0;
  #closed = false;

  private constructor(clock: Clock) {
    this.#clock = clock;
    this.#server = createServer((near) => {
      this.#serve(near);
    });
  }

  static async open(clock: Clock): Promise<Balancer> {
    const balancer = new Balancer(clock);
    await new Promise<void>((resolve) => void balancer.#server.listen(0, "127.0.0.1", resolve));
    void balancer.#look();
    return balancer;
  }

  get url(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A process that is there from now on. */
  add(port: number): void {
    this.#ports.add(port);
  }

  /** A process that will not come back. */
  remove(port: number): void {
    this.#ports.delete(port);
    this.#ready.delete(port);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(near: Socket): void {
    const ready = [...this.#ready];
    const port = ready[this.#turn % Math.max(1, ready.length)];
    this.#turn += 1;
    near.on("error", () => near.destroy());
    if (port === undefined) {
      near.destroy();
      return;
    }
    const far = connect(port, "127.0.0.1");
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => socket.destroy());
      socket.once("close", () => {
        this.#sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.pipe(near);
  }

  async #look(): Promise<void> {
    while (!this.#closed) {
      await Promise.all([...this.#ports].map((port) => this.#ask(port)));
      await sleep(this.#clock, LOOK_MS);
    }
  }

  async #ask(port: number): Promise<void> {
    const late = new AbortController();
    const timer = this.#clock.setTimer(LATE_MS, () => late.abort());
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: late.signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    timer.cancel();
    if (ready && this.#ports.has(port)) this.#ready.add(port);
    else this.#ready.delete(port);
  }
}
