/** One field of a protobuf message, by its place in the bytes; `value` for numbers, `start`…`end` for what has a length. */
export type Field = Readonly<{
  number: number;
  wire: number;
  value: number;
  /** Content only. */
  content: Uint8Array;
  /** Tag and length included, as it can be copied into another message. */
  whole: Uint8Array;
}>;

/** The fields of a message in their order; contents are views on the same bytes. Throws `RangeError` on broken bytes. */
export const fieldsOf = (message: Uint8Array): readonly Field[] => {
  const fields: Field[] = [];
  for (let at = 0; at < message.length;) {
    const tag = readVarint(message, at);
    const wire = tag.value % 8;
    const first = wire === 0 || wire === 2 ? readVarint(message, tag.next) : { value: 0, next: tag.next };
    const end = first.next + lengthOf(wire, first.value);
    if (end > message.length)
      throw new RangeError(`a protobuf field ends ${end - message.length} bytes after its message`);
    fields.push({
      number: Math.floor(tag.value / 8),
      wire,
      value: first.value,
      content: message.subarray(first.next, end),
      whole: message.subarray(at, end),
    });
    at = end;
  }
  return fields;
};

/** A field with a length: text, bytes or a message. */
export const bytesField = (number: number, content: Uint8Array): Uint8Array =>
  joined([varint(number * 8 + 2), varint(content.length), content]);

export const textField = (number: number, text: string): Uint8Array => bytesField(number, Buffer.from(text));

export const numberField = (number: number, value: number): Uint8Array => joined([varint(number * 8), varint(value)]);

export const textOf = (field: Field): string => Buffer.from(field.content).toString("utf8");

/** Numbers of a repeated field, packed or one by one. */
export const numbersOf = (field: Field): readonly number[] => {
  if (field.wire === 0) return [field.value];
  const numbers: number[] = [];
  for (let at = 0; at < field.content.length;) {
    const { value, next } = readVarint(field.content, at);
    numbers.push(value);
    at = next;
  }
  return numbers;
};

export const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

const lengthOf = (wire: number, value: number): number => {
  if (wire === 0) return 0;
  if (wire === 1) return 8;
  if (wire === 2) return value;
  if (wire === 5) return 4;
  throw new RangeError(`protobuf wire type ${wire} is not in use`);
};

/** Exact up to 2^53; a negative int64 comes out as a large number, which the callers here never read. */
const readVarint = (bytes: Uint8Array, start: number): Readonly<{ value: number; next: number }> => {
  let value = 0;
  let scale = 1;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return { value, next: at + 1 };
    scale *= 128;
  }
  throw new RangeError("a protobuf number runs past the end of its message");
};

const varint = (value: number): Uint8Array => {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  bytes.push(left);
  return Uint8Array.from(bytes);
};
