// Reads the header of a GGUF file: the architecture, the memory of the context, and the size that a complete file has.
// Source: the GGUF specification, versions 2 and 3 (ggml/docs/gguf.md).
import { open } from "node:fs/promises";

/** The parts of a header that are used. Sizes in bytes. */
export interface GgufHeader {
  architecture: string;
  name?: string;
  licence?: string;
  /** Longest context that the model was trained on, tokens. */
  contextTokens: number;
  layers: number;
  /** Keys and values of one token, in 16-bit floats. */
  cacheBytesPerToken: number;
  fileBytes: number;
  /** Number of the part and of all parts, for a model that is divided into several files. */
  parts: number;
}

const MAGIC = 0x46554747;
const VERSIONS = new Set([2, 3]);
const DEFAULT_ALIGNMENT = 32;
/** The vocabulary is part of the header: 152,000 tokens and their merges take about 6 MB. */
const READ_BYTES = [4_000_000, 16_000_000, 64_000_000, 256_000_000];
const MOST_ENTRIES = 1_000_000;
const HALF_FLOAT_BYTES = 2;
const SPLIT_COUNT = "split.count";

/** Values in a block and its bytes, by the number of the tensor type (enum ggml_type). */
const BLOCKS: Readonly<Record<number, readonly [values: number, bytes: number]>> = {
  0: [1, 4],
  1: [1, 2],
  2: [32, 18],
  3: [32, 20],
  6: [32, 22],
  7: [32, 24],
  8: [32, 34],
  9: [32, 36],
  10: [256, 84],
  11: [256, 110],
  12: [256, 144],
  13: [256, 176],
  14: [256, 210],
  15: [256, 292],
  16: [256, 66],
  17: [256, 74],
  18: [256, 98],
  19: [256, 50],
  20: [32, 18],
  21: [256, 110],
  22: [256, 82],
  23: [256, 136],
  24: [1, 1],
  25: [1, 2],
  26: [1, 4],
  27: [1, 8],
  28: [1, 8],
  29: [256, 56],
  30: [1, 2],
  34: [256, 54],
  35: [256, 66],
  39: [32, 17],
};

/** Bytes of a metadata value, by the number of its type; strings (8) and arrays (9) are read apart. */
const VALUE_BYTES: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};
const STRING = 8;
const ARRAY = 9;

type Value = string | number | boolean | number[] | undefined;

/** Thrown if the buffer ends within the header. */
const END_OF_BUFFER = new Error("the buffer ends within the header");

class Reader {
  offset = 0;

  constructor(private readonly buffer: Buffer) {}

  private take(bytes: number): number {
    const at = this.offset;
    if (at + bytes > this.buffer.length) throw END_OF_BUFFER;
    this.offset += bytes;
    return at;
  }

  u32(): number {
    return this.buffer.readUInt32LE(this.take(4));
  }

  /** @throws Error if the value cannot be a size or count */
  u64(): number {
    const value = Number(this.buffer.readBigUInt64LE(this.take(8)));
    if (!Number.isSafeInteger(value)) throw new Error("its header is damaged");
    return value;
  }

  count(): number {
    const count = this.u64();
    if (count > MOST_ENTRIES) throw new Error("its header is damaged");
    return count;
  }

  text(): string {
    const length = this.u64();
    const at = this.take(length);
    return this.buffer.toString("utf8", at, at + length);
  }

  value(type: number): Value {
    if (type === STRING) return this.text();
    if (type === ARRAY) return this.list();
    const bytes = VALUE_BYTES[type];
    if (bytes === undefined) throw new Error("its header is damaged");
    const at = this.take(bytes);
    switch (type) {
      case 0:
        return this.buffer.readUInt8(at);
      case 1:
        return this.buffer.readInt8(at);
      case 2:
        return this.buffer.readUInt16LE(at);
      case 3:
        return this.buffer.readInt16LE(at);
      case 4:
        return this.buffer.readUInt32LE(at);
      case 5:
        return this.buffer.readInt32LE(at);
      case 6:
        return this.buffer.readFloatLE(at);
      case 7:
        return this.buffer.readUInt8(at) !== 0;
      case 10:
        return Number(this.buffer.readBigUInt64LE(at));
      case 11:
        return Number(this.buffer.readBigInt64LE(at));
      default:
        return this.buffer.readDoubleLE(at);
    }
  }

  /** A list of numbers; other lists are skipped. */
  private list(): Value {
    const type = this.u32();
    const count = this.count();
    const values: Value[] = [];
    for (let index = 0; index < count; index++) values.push(this.value(type));
    return values.every((value) => typeof value === "number") ? (values as number[]) : undefined;
  }
}

interface Parsed {
  values: Map<string, Value>;
  /** Where the last tensor ends. */
  endBytes: number;
}

function parse(buffer: Buffer): Parsed {
  const reader = new Reader(buffer);
  if (reader.u32() !== MAGIC) throw new Error("it is not a GGUF file");
  const version = reader.u32();
  if (!VERSIONS.has(version)) throw new Error(`it is a GGUF file of version ${version}; versions 2 and 3 can be used`);
  const [tensors, entries] = [reader.count(), reader.count()];
  const values = new Map<string, Value>();
  for (let index = 0; index < entries; index++) {
    const key = reader.text();
    values.set(key, reader.value(reader.u32()));
  }
  let end = 0;
  for (let index = 0; index < tensors; index++) {
    reader.text();
    const dimensions = reader.u32();
    let size = 1;
    for (let axis = 0; axis < Math.min(dimensions, 8); axis++) size *= reader.u64();
    const [block, bytes] = BLOCKS[reader.u32()] ?? [1, 0];
    end = Math.max(end, reader.u64() + (size / block) * bytes);
  }
  const alignment = Number(values.get("general.alignment") ?? DEFAULT_ALIGNMENT);
  return { values, endBytes: Math.ceil(reader.offset / alignment) * alignment + end };
}

const largest = (value: Value): number =>
  Array.isArray(value) ? value.reduce((most, one) => Math.max(most, one), 0) : Number(value ?? 0);

function describe({ values }: Parsed, fileBytes: number): GgufHeader {
  const architecture = values.get("general.architecture");
  if (typeof architecture !== "string") throw new Error("its header does not name an architecture");
  const own = (key: string) => values.get(`${architecture}.${key}`);
  const layers = Number(own("block_count") ?? 0);
  const contextTokens = Number(own("context_length") ?? 0);
  if (layers < 1 || contextTokens < 1 || !values.has("tokenizer.ggml.model")) {
    throw new Error(`it is not a language model (architecture ${architecture})`);
  }
  const heads = Math.max(1, largest(own("attention.head_count")));
  const headSize = Number(own("embedding_length") ?? 0) / heads;
  const keySize = Number(own("attention.key_length") ?? headSize);
  const valueSize = Number(own("attention.value_length") ?? headSize);
  const cacheHeads = largest(own("attention.head_count_kv")) || heads;
  const text = (key: string) => {
    const value = values.get(key);
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  };
  const [name, licence] = [text("general.name"), text("general.license")];
  return {
    architecture,
    ...(name === undefined ? {} : { name }),
    ...(licence === undefined ? {} : { licence }),
    contextTokens,
    layers,
    cacheBytesPerToken: layers * cacheHeads * (keySize + valueSize) * HALF_FLOAT_BYTES,
    fileBytes,
    parts: Number(values.get(SPLIT_COUNT) ?? 1) || 1,
  };
}

/**
 * Reads the header and compares the file's size with what the header describes.
 * @throws Error with the reason why the file cannot be used: another format, damaged, truncated, divided
 */
export async function readGguf(file: string): Promise<GgufHeader> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    for (const most of READ_BYTES) {
      const buffer = Buffer.alloc(Math.min(most, size));
      await handle.read(buffer, 0, buffer.length, 0);
      try {
        const parsed = parse(buffer);
        if (size < parsed.endBytes) {
          throw new Error(`it is truncated: it has ${size} bytes of ${Math.ceil(parsed.endBytes)}. Fetch it again`);
        }
        return describe(parsed, size);
      } catch (thrown) {
        if (thrown !== END_OF_BUFFER) throw thrown;
        if (most >= size) throw new Error("it is truncated within its header. Fetch it again");
      }
    }
    throw new Error("its header is damaged");
  } finally {
    await handle.close();
  }
}
