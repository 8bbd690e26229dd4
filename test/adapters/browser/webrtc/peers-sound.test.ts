import { expect, onTestFinished, test } from "vitest";
import { createBrowserPeers, OfferRefused } from "../../../../src/adapters/browser/webrtc/peers.ts";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import { decodeLinear16, encodeLinear16 } from "../../../../src/audio/linear16.ts";
import { Resampler } from "../../../../src/audio/resampler.ts";
import type { AudioFrame } from "../../../../src/model/audio.ts";
import type { BrowserPeer } from "../../../../src/ports/browser-peer.ts";
import { DeadlineExceeded, sleep, type Clock } from "../../../../src/ports/clock.ts";
import type { LineEnd } from "../../../../src/ports/transport.ts";
import { countingMetrics } from "../../../kit/counting-metrics.ts";
import { fidelityOf } from "../../../kit/fidelity.ts";
import { watchForLeaks } from "../../../kit/leaks.ts";
import { SeededRandom } from "../../../kit/seeded-random.ts";
import { silentLogger } from "../../../kit/silent-logger.ts";
import { makeSpeaker } from "../../../kit/spoken.ts";
import { concat } from "../../../kit/tones.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";
import { WebRtcClient } from "../../../kit/webrtc-client.ts";

const clock = new SystemClock();

const peersOn = (clock: Clock, settings = {}) =>
  createBrowserPeers({
    clock,
    logger: silentLogger(),
    metrics: countingMetrics().metrics,
    random: new SeededRandom(3),
    settings: { iceServers: [], loopback: true, ...settings },
  });

/** What comes out of a line, and how to wait for its end. */
const listening = ({ transport }: BrowserPeer) => {
  const frames: AudioFrame[] = [];
  const marks: string[] = [];
  let keys = "";
  const gone = new Promise<LineEnd>((resolve) => {
    transport.listen({
      frame: (frame) => frames.push(frame),
      digit: (digit) => (keys += digit),
      mark: (name) => marks.push(name),
      gone: resolve,
    });
  });
  return { frames, marks, keys: () => keys, gone };
};

const at24 = (samples: Int16Array): Int16Array => {
  const resampler = new Resampler(16_000, 24_000);
  const made = resampler.process(samples).slice();
  resampler.close();
  return made;
};

/** Sends frames as a speaker does: each up to 20 ms before it is due. */
const play = async ({ transport }: BrowserPeer, samples: Int16Array): Promise<void> => {
  const start = clock.monotonic();
  for (let at = 0; at + 480 <= samples.length; at += 480) {
    await sleep(clock, start + at / 24 - 20 - clock.monotonic());
    transport.send(encodeLinear16(samples.slice(at, at + 480)));
  }
};

test("speech goes both ways, over a network that loses 3 % and is up to 80 ms late, and keys arrive", async () => {
  const speak = await makeSpeaker();
  const ours = at24(speak("Good morning, how can I help you today?"));
  const theirs = speak("I would like to move my appointment to next Friday, please.");
  const peers = peersOn(clock);
  const client = await WebRtcClient.create(clock);
  onTestFinished(async () => {
    await peers.close();
    await client.close();
  });
  const peer = await client.call(peers);
  const line = listening(peer);
  const chance = new SeededRandom(9);
  const lossy = () => (chance.fraction() < 0.03 ? ("lost" as const) : 80 * chance.fraction());

  await Promise.all([play(peer, ours), client.speak(theirs, lossy)]);
  for (const key of "15#") client.press(key);
  peer.transport.mark("done");
  await sleep(clock, 300);

  const up = fidelityOf(at24(theirs), concat(...line.frames.map(({ payload }) => decodeLinear16(payload))), 24_000);
  const down = fidelityOf(ours, concat(...client.heard), 24_000);
  expect(up.median).toBeGreaterThan(0.95);
  expect(down.median).toBeGreaterThan(0.95);
  expect(line.keys()).toBe("15#");
  expect(line.marks).toEqual(["done"]);
  expect([...client.types]).toEqual([109]);
  expect((client.bytes * 8) / (client.packets * 0.02)).toBeLessThan(34_000);
});

test("the answer takes up payload types and keys as offered, and names the public address", async () => {
  const peers = peersOn(clock, { publicAddress: "198.51.100.7", ports: [42_000, 42_100] });
  const client = await WebRtcClient.create(clock);
  const abort = new AbortController();
  const { answer, transport, connected } = await peers.answer(await client.offer(), () => undefined, abort.signal);
  const line = listening({ answer, transport, connected, addCandidate: () => undefined });
  expect(answer).toMatch(/^m=audio 9 UDP\/TLS\/RTP\/SAVPF 109 110 126\r$/m);
  expect(answer).toMatch(/^a=fmtp:109 .*useinbandfec=1;stereo=1;sprop-stereo=0;maxaveragebitrate=28000/m);
  expect(answer).toMatch(/^a=candidate:\S+ 1 udp \d+ 198\.51\.100\.7 42\d\d\d typ host/m);
  abort.abort();
  expect(await line.gone).toBe("closed-by-us");
  await expect(connected).rejects.toThrow(/closed/);
  await client.close();
});

test.each<[string, (offer: string) => string]>([
  ["with pictures and data besides sound", (offer) => offer],
  ["without candidates", (offer) => offer.replaceAll(/^a=(?:candidate|end-of-candidates).*\r\n/gm, "")],
  ["that only sends", (offer) => offer.replaceAll("a=sendrecv", "a=sendonly")],
  [
    "in stereo, at another rate, without repair",
    (offer) =>
      offer.replace(/^a=fmtp:109 .*\r\n/m, "a=fmtp:109 stereo=1;sprop-stereo=1;maxaveragebitrate=510000;cbr=1\r\n"),
  ],
])("an offer %s connects, and its sound is heard", async (_, change) => {
  const peers = peersOn(clock);
  const client = await WebRtcClient.create(clock);
  onTestFinished(async () => {
    await peers.close();
    await client.close();
  });
  client.connection.addTransceiver("video", { direction: "sendrecv" });
  client.connection.createDataChannel("chat");
  const offered = await client.offer();
  expect(offered).toMatch(/^m=video/m);
  const peer = await peers.answer(change(offered), () => undefined, new AbortController().signal);
  await client.connection.setRemoteDescription({ type: "answer", sdp: peer.answer });
  await peer.connected;
  const line = listening(peer);
  await client.speak(at24(new Int16Array(4800).fill(1000)));
  expect(line.frames.length).toBeGreaterThan(3);
});

test("sessions leave nothing behind", async () => {
  const check = watchForLeaks();
  const peers = peersOn(clock);
  for (let count = 0; count < 3; count++) {
    const client = await WebRtcClient.create(clock);
    const peer = await client.call(peers);
    const line = listening(peer);
    if (count === 0) peer.transport.close();
    else await peers.close();
    expect(await line.gone).toBe("closed-by-us");
    peer.transport.send(new Uint8Array(960));
    peer.transport.close();
    await client.close();
  }
  await check(15_000);
});

test("an offer without sound in Opus, or that is none at all, is refused and leaves nothing behind", async () => {
  const check = watchForLeaks();
  const peers = peersOn(clock);
  const { signal } = new AbortController();
  const answer = (offer: string) => peers.answer(offer, () => undefined, signal);
  await expect(answer("v=0\r\n")).rejects.toThrow(OfferRefused);
  const client = await WebRtcClient.create(clock);
  const offer = await client.offer();
  await client.close();
  await expect(answer(offer.replaceAll(/opus/gi, "PCMU"))).rejects.toThrow(OfferRefused);
  await expect(answer(offer.replaceAll(/a=(ice|fingerprint).*\r\n/g, ""))).rejects.toThrow(OfferRefused);
  await check(15_000);
});

test("a browser that never connects is given up after 15 s", async () => {
  const virtual = new VirtualClock();
  const peers = peersOn(virtual);
  const client = await WebRtcClient.create(clock);
  const peer = await peers.answer(await client.offer(), () => undefined, new AbortController().signal);
  const line = listening(peer);
  const refused = peer.connected.catch((error: unknown) => error);
  await virtual.advance(15_000);
  expect(await refused).toBeInstanceOf(DeadlineExceeded);
  expect(await line.gone).toBe("lost");
  expect(virtual.pending).toBe(0);
  await client.close();
});

test("offers that somebody tampered with are answered or refused, and nothing else", async () => {
  const check = watchForLeaks();
  const peers = peersOn(clock);
  const client = await WebRtcClient.create(clock);
  const offer = await client.offer();
  await client.close();
  const random = new SeededRandom(5);
  const below = (limit: number) => Math.floor(random.fraction() * limit);
  for (let count = 0; count < 25; count++) {
    const lines = offer.split("\r\n");
    const at = below(lines.length);
    const line = lines[at] ?? "";
    const place = below(line.length);
    const changes = [
      [],
      [line, line],
      [`${line.slice(0, place)}${String.fromCodePoint(32 + below(90))}${line.slice(place + 1)}`],
    ];
    lines.splice(at, 1, ...(changes[below(3)] ?? []));
    const abort = new AbortController();
    try {
      const peer = await peers.answer(lines.join("\r\n"), () => undefined, abort.signal);
      peer.connected.catch(() => undefined);
      peer.addCandidate({ candidate: "candidate:1 1 udp 1 999.1.2.3 99999 typ host" });
      peer.addCandidate({ candidate: "" });
      abort.abort();
    } catch (error) {
      expect(error).toBeInstanceOf(OfferRefused);
    }
  }
  await peers.close();
  await check(15_000);
});
