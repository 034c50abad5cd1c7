// The part of the protobuf wire format that editing ONNX files requires. Fields are slices of the original bytes and
// are written back unchanged, so that weights are never decoded. ONNX files only contain wire types 0, 1, 2 and 5.
// Source: https://protobuf.dev/programming-guides/encoding/

/** One field of a message: its number, its bytes in the file, and its payload (wire type 2 only). */
export interface Field {
  number: number;
  raw: Uint8Array;
  payload: Uint8Array;
}

function readVarint(bytes: Uint8Array, offset: number): { value: number; next: number } {
  let value = 0;
  let scale = 1;
  for (let at = offset; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return { value, next: at + 1 };
    scale *= 128;
  }
  throw new RangeError("protobuf: a varint runs past the end of the message");
}

/**
 * Splits a message into its fields, in order.
 * @throws RangeError if the bytes are not a protobuf message
 */
export function readFields(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  let offset = 0;
  while (offset < message.length) {
    const key = readVarint(message, offset);
    const wire = key.value % 8;
    let start = key.next;
    let end: number;
    if (wire === 0) end = readVarint(message, start).next;
    else if (wire === 1) end = start + 8;
    else if (wire === 5) end = start + 4;
    else if (wire === 2) {
      const length = readVarint(message, start);
      start = length.next;
      end = start + length.value;
    } else throw new RangeError(`protobuf: wire type ${wire} is not used by ONNX`);
    if (end > message.length) throw new RangeError("protobuf: a field runs past the end of the message");
    fields.push({
      number: Math.floor(key.value / 8),
      raw: message.subarray(offset, end),
      payload: message.subarray(start, end),
    });
    offset = end;
  }
  return fields;
}

export function writeVarint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) | 0x80);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

/** A field of wire type 0. */
export function varintField(number: number, value: number): Uint8Array {
  return Buffer.concat([writeVarint(number * 8), writeVarint(value)]);
}

/** A field of wire type 5: a 32-bit float. */
export function floatField(number: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([writeVarint(number * 8 + 5), bytes]);
}

/** A field of wire type 2: bytes, a string, or the parts of a message. */
export function bytesField(number: number, payload: Uint8Array | string | Uint8Array[]): Uint8Array {
  const body =
    typeof payload === "string" ? Buffer.from(payload) : Array.isArray(payload) ? Buffer.concat(payload) : payload;
  return Buffer.concat([writeVarint(number * 8 + 2), writeVarint(body.length), body]);
}

/** A field of wire type 2 as a list of parts, without copying: for large payloads. */
export function fieldParts(number: number, payload: readonly Uint8Array[]): Uint8Array[] {
  const length = payload.reduce((sum, part) => sum + part.length, 0);
  return [writeVarint(number * 8 + 2), writeVarint(length), ...payload];
}

const text = new TextDecoder();

/** The strings of all fields with this number. */
export function stringsOf(fields: Field[], number: number): string[] {
  return fields.filter((field) => field.number === number).map((field) => text.decode(field.payload));
}

/** The integers of all fields with this number, single or packed. */
export function integersOf(fields: Field[], number: number): number[] {
  return fields
    .filter((field) => field.number === number)
    .flatMap(({ payload }) => {
      const values: number[] = [];
      for (let at = 0; at < payload.length; ) {
        const { value, next } = readVarint(payload, at);
        values.push(value);
        at = next;
      }
      return values;
    });
}
