// Values of AMF0 (Action Message Format), of which commands of RTMP consist.

const [NUMBER, BOOLEAN, STRING, OBJECT, NULL, UNDEFINED, MAP, OBJECT_END, LIST, DATE, LONG_STRING] = [
  0, 1, 2, 3, 5, 6, 8, 9, 10, 11, 12,
];
const MOST_VALUES = 1_000;
const MOST_DEPTH = 8;

export type Value = number | boolean | string | null | Value[] | Map<string, Value>;

/** Reads values up to the first one that is damaged or not supported. */
class Values {
  private at = 0;
  private count = 0;

  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  /** @returns undefined for what cannot be read */
  value(depth = 0): Value | undefined {
    if (this.isAtEnd || depth > MOST_DEPTH || ++this.count > MOST_VALUES) return undefined;
    const type = this.bytes[this.at++];
    switch (type) {
      case NUMBER:
        return this.take(8)?.readDoubleBE(0);
      case BOOLEAN: {
        const byte = this.take(1)?.[0];
        return byte === undefined ? undefined : byte !== 0;
      }
      case STRING:
        return this.text(2);
      case LONG_STRING:
        return this.text(4);
      case NULL:
      case UNDEFINED:
        return null;
      case DATE:
        return this.take(10)?.readDoubleBE(0);
      case OBJECT:
        return this.fields(depth);
      case MAP:
        return this.take(4) && this.fields(depth);
      case LIST:
        return this.list(depth);
      default:
        return undefined;
    }
  }

  private take(count: number): Buffer | undefined {
    if (this.at + count > this.bytes.length) return undefined;
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  private text(lengthBytes: number): string | undefined {
    const length = this.take(lengthBytes)?.readUIntBE(0, lengthBytes);
    return length === undefined ? undefined : this.take(length)?.toString("utf8");
  }

  private fields(depth: number): Map<string, Value> | undefined {
    const found = new Map<string, Value>();
    for (;;) {
      const name = this.text(2);
      if (name === undefined) return undefined;
      if (name === "" && this.bytes[this.at] === OBJECT_END) {
        this.at++;
        return found;
      }
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      found.set(name, value);
    }
  }

  private list(depth: number): Value[] | undefined {
    const length = this.take(4)?.readUInt32BE(0) ?? Number.POSITIVE_INFINITY;
    const found: Value[] = [];
    while (found.length < length) {
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      found.push(value);
    }
    return found;
  }
}

/** @returns the values up to the first one that cannot be read */
export function readValues(bytes: Buffer): Value[] {
  const values = new Values(bytes);
  const found: Value[] = [];
  while (!values.isAtEnd) {
    const value = values.value();
    if (value === undefined) break;
    found.push(value);
  }
  return found;
}

export const fieldOf = (value: Value | undefined, name: string): Value | undefined =>
  value instanceof Map ? value.get(name) : undefined;

const lengthOf = (text: Buffer): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length);
  return length;
};

function written(value: Value): Buffer {
  if (value === null) return Buffer.of(NULL);
  if (typeof value === "boolean") return Buffer.of(BOOLEAN, Number(value));
  if (typeof value === "number") {
    const bytes = Buffer.alloc(9);
    bytes.writeDoubleBE(value, 1);
    return bytes;
  }
  if (typeof value === "string") {
    const text = Buffer.from(value);
    return Buffer.concat([Buffer.of(STRING), lengthOf(text), text]);
  }
  if (Array.isArray(value)) {
    const count = Buffer.alloc(5);
    count.writeUInt8(LIST);
    count.writeUInt32BE(value.length, 1);
    return Buffer.concat([count, ...value.map(written)]);
  }
  const fields = [...value].flatMap(([name, inner]) => {
    const text = Buffer.from(name);
    return [lengthOf(text), text, written(inner)];
  });
  return Buffer.concat([Buffer.of(OBJECT), ...fields, Buffer.of(0, 0, OBJECT_END)]);
}

/** Texts have at most 65,535 bytes. */
export const writeValues = (values: readonly Value[]): Buffer => Buffer.concat(values.map(written));
