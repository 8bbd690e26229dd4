/** A WebM stream as a browser records it: one track of Opus, clusters of unknown size with a second each, simple blocks. */
export const webmOf = (packets: readonly Uint8Array[], packetMs: number, codec = "A_OPUS"): Buffer => {
  const perCluster = Math.floor(1000 / packetMs);
  const clusters: Buffer[] = [];
  for (let first = 0; first < packets.length; first += perCluster) {
    const blocks = packets
      .slice(first, first + perCluster)
      .map((packet, index) => element(0xa3, Buffer.concat([blockHead(index * packetMs), packet])));
    clusters.push(open(0x1f43b675), element(0xe7, number(first * packetMs)), ...blocks);
  }
  return Buffer.concat([
    element(0x1a45dfa3, element(0x4282, Buffer.from("webm"))),
    open(0x18538067),
    element(0x1549a966, Buffer.concat([element(0x2ad7b1, number(1_000_000)), element(0x4d80, Buffer.from("Test"))])),
    element(0x1654ae6b, track(codec)),
    ...clusters,
  ]);
};

const track = (codec: string): Buffer =>
  element(
    0xae,
    Buffer.concat([
      element(0xd7, number(1)),
      element(0x83, number(2)),
      element(0x86, Buffer.from(codec)),
      element(0x63a2, Buffer.from("OpusHead")),
    ]),
  );

const blockHead = (atMs: number): Buffer => {
  const head = Buffer.from([0x81, 0, 0, 0x80]);
  head.writeInt16BE(atMs, 1);
  return head;
};

const idBytes = (id: number): Buffer => Buffer.from(id.toString(16), "hex");

const element = (id: number, data: Uint8Array): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(0x1000_0000 + data.length);
  return Buffer.concat([idBytes(id), size, data]);
};

/** An element that says not how long it is, and ends where the next of its kind begins. */
const open = (id: number): Buffer =>
  Buffer.concat([idBytes(id), Buffer.from([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])]);

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
