// Builds graphs from scratch. Large constants are written one by one to a file beside the graph, so that a large model
// is never in memory as a whole.
import { type FileHandle, open } from "node:fs/promises";
import path from "node:path";
import {
  ELEMENT,
  externalInitializer,
  GRAPH,
  initializer,
  initializerParts,
  integerAttribute,
  integerList,
  modelHeader,
  node,
  tensorValue,
  writeModel,
} from "./graph.ts";
import { bytesField } from "./protobuf.ts";

const IR_VERSION = 10;
/** Domain of ONNX Runtime's contrib operators. */
export const MICROSOFT = "com.microsoft";
/** End of a slice that extends to the last element. */
export const SLICE_END = Number.MAX_SAFE_INTEGER;
const OPSETS = { "": 17, [MICROSOFT]: 1 };
/** Longer constants are stored in the weights file. */
const MOST_INLINE_BYTES = 256;
/** Alignment of values in the weights file. */
const ALIGNMENT_BYTES = 64;

const ELEMENT_OF = new Map<unknown, number>([
  [Float32Array, ELEMENT.float],
  [Uint8Array, ELEMENT.uint8],
  [Int8Array, ELEMENT.int8],
]);

export type Values = Float32Array | Uint8Array | Int8Array;

const bytesOf = ({ buffer, byteOffset, byteLength }: Values) => new Uint8Array(buffer, byteOffset, byteLength);

/** Appends the values of constants to a file. */
export class WeightsFile {
  private offset = 0;

  private constructor(
    readonly name: string,
    private readonly handle: FileHandle,
  ) {}

  static async create(folder: string, name: string): Promise<WeightsFile> {
    return new WeightsFile(name, await open(path.join(folder, name), "w"));
  }

  /** @returns their offset */
  async append(bytes: Uint8Array): Promise<number> {
    const padding = (ALIGNMENT_BYTES - (this.offset % ALIGNMENT_BYTES)) % ALIGNMENT_BYTES;
    if (padding > 0) await this.handle.write(new Uint8Array(padding), 0, padding, this.offset);
    this.offset += padding;
    const at = this.offset;
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.handle.write(bytes, written, bytes.length - written, at + written);
      written += bytesWritten;
    }
    this.offset += bytes.length;
    return at;
  }

  async close(): Promise<void> {
    await this.handle.sync();
    await this.handle.close();
  }
}

/** A graph can be built in two variants, with integer and with float matrix products, which share the constants. */
export type Variant = "integer" | "portable";

interface GraphField {
  parts: Uint8Array[];
  /** Undefined for fields of both variants. */
  variant?: Variant;
}

export class GraphBuilder {
  private readonly fields: GraphField[] = [];
  private variant: Variant | undefined;
  private readonly written = new Set<string>();

  constructor(
    private readonly name: string,
    /** If undefined, all constants are stored in the graph. */
    private readonly weights?: WeightsFile,
  ) {}

  /** Adds a node with one output. @returns the output's name */
  add(opType: string, inputs: string[], output: string, attributes: Uint8Array[] = [], domain = ""): string {
    this.addMany(opType, inputs, [output], attributes, domain);
    return output;
  }

  /** Adds a node with several outputs. */
  addMany(opType: string, inputs: string[], outputs: string[], attributes: Uint8Array[] = [], domain = ""): void {
    this.push(node(opType, inputs, outputs, attributes, domain));
    for (const output of outputs) this.written.add(output);
  }

  /** Adds the nodes that `fill` creates to this variant only. */
  only(variant: Variant, fill: () => void): void {
    this.variant = variant;
    fill();
    this.variant = undefined;
  }

  /** Whether a node with this output exists. */
  has(name: string): boolean {
    return this.written.has(name);
  }

  /** A constant, row-major; must not be modified before the graph is built. @returns its name */
  async constant(name: string, dimensions: readonly number[], values: Values): Promise<string> {
    const element = ELEMENT_OF.get(values.constructor);
    if (element === undefined) throw new Error(`the constant ${name} has an unsupported element type`);
    const bytes = bytesOf(values);
    if (!this.weights || bytes.length <= MOST_INLINE_BYTES)
      this.push(...initializerParts(name, element, dimensions, bytes));
    else {
      const offset = await this.weights.append(bytes);
      const place = { file: this.weights.name, offset, length: bytes.length };
      this.push(externalInitializer(name, element, dimensions, place));
    }
    return name;
  }

  /** A list of integers, created once per value. @returns its name */
  integers(...values: number[]): string {
    const name = `integers.${values.join("_")}`;
    if (!this.written.has(name)) this.push(integerList(name, values));
    this.written.add(name);
    return name;
  }

  /** A float scalar, created once per value. @returns its name */
  scalar(value: number): string {
    const name = `scalar.${value}`;
    if (!this.written.has(name)) this.push(initializer(name, ELEMENT.float, [], bytesOf(Float32Array.of(value))));
    this.written.add(name);
    return name;
  }

  /** A byte scalar, created once per value. @returns its name */
  byte(value: number, isSigned = false): string {
    const name = isSigned ? `signed_byte.${value}` : `byte.${value}`;
    const element = isSigned ? ELEMENT.int8 : ELEMENT.uint8;
    if (!this.written.has(name)) this.push(initializer(name, element, [], Uint8Array.of(value)));
    this.written.add(name);
    return name;
  }

  /** Converts a tensor to another element type. @returns name of the output */
  cast(input: string, element: number, output: string): string {
    return this.add("Cast", [input], output, [integerAttribute("to", element)]);
  }

  input(name: string, element: number, dimensions: (number | string)[]): void {
    this.push(tensorValue("input", name, element, dimensions));
  }

  output(name: string, dimensions: (number | string)[], element: number = ELEMENT.float): void {
    this.push(tensorValue("output", name, element, dimensions));
  }

  build(variant: Variant = "integer"): Uint8Array {
    const own = this.fields.filter((field) => field.variant === undefined || field.variant === variant);
    const fields = own.flatMap(({ parts }) => parts);
    return writeModel(modelHeader(IR_VERSION, OPSETS), [bytesField(GRAPH.name, this.name), ...fields]);
  }

  private push(...parts: Uint8Array[]): void {
    this.fields.push({ parts, ...(this.variant ? { variant: this.variant } : {}) });
  }
}
