// Weights of a checkpoint in the safetensors format, read tensor by tensor from one file or several. Source:
// https://github.com/huggingface/safetensors#format
import { type FileHandle, open, readFile } from "node:fs/promises";
import path from "node:path";

export const SINGLE_FILE = "model.safetensors";
export const INDEX_FILE = "model.safetensors.index.json";
/** Real headers have a few hundred kilobytes. */
const MOST_HEADER_BYTES = 100_000_000;

interface Entry {
  type: string;
  shape: number[];
  file: string;
  /** Byte range in the file. */
  begin: number;
  end: number;
}

/** The files named by an index. @throws Error if it is not an index */
export function filesOfIndex(text: string): string[] {
  const map = (JSON.parse(text) as { weight_map?: Record<string, string> }).weight_map;
  if (!map || typeof map !== "object") throw new Error(`${INDEX_FILE} has no weight_map`);
  const files = [...new Set(Object.values(map))];
  const strange = files.find((file) => !/^[\w.-]+\.safetensors$/.test(file));
  if (strange !== undefined) throw new Error(`${INDEX_FILE} names the file ${JSON.stringify(strange)}`);
  return files;
}

let halves: Float32Array | undefined;

/** Table of all 16-bit floats (IEEE 754 binary16) as 32-bit floats. */
function halfTable(): Float32Array {
  halves ??= Float32Array.from({ length: 65_536 }, (_, bits) => {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 0x1f;
    const fraction = bits & 0x3ff;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
    return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  });
  return halves;
}

/** Bytes per value, and the conversion to 32-bit floats. */
const TYPES: Record<string, { size: number; read(bytes: Uint8Array): Float32Array }> = {
  F32: { size: 4, read: ({ buffer, byteOffset, byteLength }) => new Float32Array(buffer, byteOffset, byteLength / 4) },
  F16: {
    size: 2,
    read: ({ buffer, byteOffset, byteLength }) => {
      const table = halfTable();
      return Float32Array.from(new Uint16Array(buffer, byteOffset, byteLength / 2), (bits) => table[bits] as number);
    },
  },
  // A bfloat16 is the upper half of a 32-bit float.
  BF16: {
    size: 2,
    read: ({ buffer, byteOffset, byteLength }) => {
      const upper = new Uint16Array(buffer, byteOffset, byteLength / 2);
      return new Float32Array(Uint32Array.from(upper, (bits) => bits * 65_536).buffer);
    },
  },
};

async function readHeader(handle: FileHandle, file: string): Promise<Map<string, Entry>> {
  const damaged = (what: string) => new Error(`${file} is damaged: ${what}`);
  const { size } = await handle.stat();
  const start = Buffer.alloc(8);
  const { bytesRead } = await handle.read(start, 0, 8, 0);
  const length = bytesRead === 8 ? Number(start.readBigUInt64LE()) : 0;
  if (length === 0 || length > MOST_HEADER_BYTES || 8 + length > size) throw damaged("its header is truncated");
  const text = Buffer.alloc(length);
  await handle.read(text, 0, length, 8);
  let header: Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }>;
  try {
    header = JSON.parse(text.toString("utf8"));
  } catch {
    throw damaged("its header is not JSON");
  }
  const entries = new Map<string, Entry>();
  for (const [name, entry] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const [from, to] = entry.data_offsets ?? [];
    if (!Array.isArray(entry.shape) || !Number.isInteger(from) || !Number.isInteger(to))
      throw damaged(`tensor ${name}`);
    const [begin, end] = [8 + length + (from as number), 8 + length + (to as number)];
    if (end > size || begin > end) throw damaged(`the tensor ${name} lies outside of it`);
    entries.set(name, { type: entry.dtype, shape: entry.shape, file, begin, end });
  }
  return entries;
}

export class Checkpoint {
  private constructor(
    private readonly handles: ReadonlyMap<string, FileHandle>,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  /** @throws Error if a file is missing or damaged */
  static async open(folder: string): Promise<Checkpoint> {
    const index = await readFile(path.join(folder, INDEX_FILE), "utf8").catch(() => undefined);
    const files = index === undefined ? [SINGLE_FILE] : filesOfIndex(index);
    const handles = new Map<string, FileHandle>();
    const entries = new Map<string, Entry>();
    try {
      for (const file of files) {
        const handle = await open(path.join(folder, file)).catch(() => {
          throw new Error(`the checkpoint has no ${file}`);
        });
        handles.set(file, handle);
        for (const [name, entry] of await readHeader(handle, file)) entries.set(name, entry);
      }
    } catch (error) {
      for (const handle of handles.values()) await handle.close();
      throw error;
    }
    return new Checkpoint(handles, entries);
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** @throws Error if the tensor does not exist, has another shape, or an unsupported type */
  async read(name: string, shape: readonly number[]): Promise<Float32Array> {
    const entry = this.entries.get(name);
    if (!entry) throw new Error(`the checkpoint has no tensor ${name}`);
    if (entry.shape.join() !== shape.join()) {
      throw new Error(`the tensor ${name} has the shape ${entry.shape.join(" x ")}; expected ${shape.join(" x ")}`);
    }
    const type = TYPES[entry.type];
    if (!type) throw new Error(`the tensor ${name} is in ${entry.type}; float32, float16 and bfloat16 can be read`);
    const length = shape.reduce((product, size) => product * size, type.size);
    if (entry.end - entry.begin !== length)
      throw new Error(`the tensor ${name} has a size that differs from its shape`);
    const bytes = new Uint8Array(length);
    const handle = this.handles.get(entry.file) as FileHandle;
    for (let at = 0; at < length; ) {
      const { bytesRead } = await handle.read(bytes, at, length - at, entry.begin + at);
      if (bytesRead === 0) throw new Error(`${entry.file} is damaged: it ends within ${name}`);
      at += bytesRead;
    }
    return type.read(bytes);
  }

  async close(): Promise<void> {
    for (const handle of this.handles.values()) await handle.close();
  }
}
