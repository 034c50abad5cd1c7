// Reads weights from the published ONNX models: constants by name, matrices by the layer that uses them.
import { branchOf, ELEMENT, GRAPH, nodesOf, readModel, TENSOR } from "../../onnx/graph.ts";
import { type Field, integersOf, readFields, stringsOf } from "../../onnx/protobuf.ts";
import type { QuantizedMatrix, UniformMatrix } from "../../onnx/row-product.ts";
import { type QuantizedTable, saturationSafeRows, saturationSafeWeights } from "../../onnx/saturation-safe-weights.ts";

interface Constant {
  dimensions: number[];
  element: number;
  /** A slice of the model's bytes. */
  raw: Uint8Array;
}

/** Offset between signed and unsigned zero points. */
const SIGN = 128;

function constantOf({ payload }: Field): [name: string, constant: Constant] {
  const fields = readFields(payload);
  // Scalars are stored as lists: floats as raw bytes, bytes as integers.
  const integers = integersOf(fields, TENSOR.integers);
  const floats = fields.find(({ number }) => number === TENSOR.rawData || number === TENSOR.floats)?.payload;
  const [element = 0] = integersOf(fields, TENSOR.dataType);
  return [
    stringsOf(fields, TENSOR.name)[0] ?? "",
    {
      dimensions: integersOf(fields, TENSOR.dimensions),
      element,
      raw: floats ? new Uint8Array(floats.buffer, floats.byteOffset, floats.length) : Uint8Array.from(integers),
    },
  ];
}

export class PublishedWeights {
  /** Cache, as both graphs of a network use the same matrices. */
  private readonly matrices = new Map<string, QuantizedMatrix>();

  private constructor(
    private readonly constants: ReadonlyMap<string, Constant>,
    /** Name of the weights of each integer product, by the name of its output. */
    private readonly products: ReadonlyMap<string, string>,
    /** Names of the gain and offset after the first convolution. */
    private readonly group: readonly string[],
    /** Suffix of the names of constants that two branches share. */
    private readonly suffix: string,
  ) {}

  /**
   * @param bytes   of an ONNX model
   * @param branch  of the model's only node, if it contains the network
   * @throws Error for another kind of model
   */
  static read(bytes: Uint8Array, branch?: { name: string; suffix: string }): PublishedWeights {
    const { graph } = readModel(bytes);
    const constants = new Map(graph.filter(({ number }) => number === GRAPH.initializer).map(constantOf));
    const [only] = nodesOf(graph);
    if (branch && !only) throw new Error("the model contains no node");
    const nodes = nodesOf(branch && only ? branchOf(only, branch.name) : graph);
    const products = nodes
      .filter(({ opType }) => opType === "MatMulInteger")
      .map(({ inputs, outputs }) => [outputs[0] ?? "", inputs[1] ?? ""] as const);
    const secondInput = (path: string) => nodes.find(({ name }) => name === path)?.inputs[1] ?? path;
    const group = ["/groupnorm/Mul", "/groupnorm/Add"].map(secondInput);
    return new PublishedWeights(constants, new Map(products), group, branch?.suffix ?? "");
  }

  /** Values of a constant, row-major. @throws Error if there is none of that name and length */
  floats(name: string, length?: number): Float32Array {
    const { element, raw } = this.constant(name);
    if (element !== ELEMENT.float || (length !== undefined && raw.length !== length * 4)) {
      throw new Error(`the constant ${name} has an unexpected type or size`);
    }
    return new Float32Array(raw.slice().buffer);
  }

  /** Gain and offset of each channel after the first convolution. */
  groupNorm(channels: number): [gain: Float32Array, offset: Float32Array] {
    const [gain = "", offset = ""] = this.group;
    return [this.floats(gain, channels), this.floats(offset, channels)];
  }

  /** @param place  of the layer, as in "/layers.0/mlp/fc1". @throws Error if there is no such product */
  matrix(place: string): QuantizedMatrix {
    const name = this.matrixName(place);
    const matrix = this.matrices.get(name) ?? saturationSafeWeights(this.unsigned(name));
    this.matrices.set(name, matrix);
    return matrix;
  }

  /** The matrix as published, in unsigned bytes. @throws Error if there is no such product */
  publishedMatrix(place: string): UniformMatrix {
    return this.unsigned(this.matrixName(place));
  }

  /** A table [rows, size], with a scale for each row. */
  table(name: string): QuantizedTable {
    return saturationSafeRows(this.unsigned(name + this.suffix));
  }

  /** A convolution's kernel [outputs, inputs, size]. */
  kernel(name: string): Float32Array {
    const { raw, scale, zeroPoint } = this.quantizedKernel(name);
    return Float32Array.from(raw, (value) => (value - zeroPoint) * scale);
  }

  /** A convolution's kernel [outputs, inputs, size] as a matrix [size * inputs, outputs]. */
  convolution(name: string): QuantizedMatrix {
    const { dimensions, raw, scale, zeroPoint } = this.quantizedKernel(name);
    const [outputs, inputs, size] = dimensions as [number, number, number];
    const values = new Uint8Array(raw.length);
    for (let at = 0, output = 0; output < outputs; output++) {
      for (let input = 0; input < inputs; input++) {
        for (let place = 0; place < size; place++, at++) {
          values[(place * inputs + input) * outputs + output] = (raw[at] as number) + SIGN;
        }
      }
    }
    return saturationSafeWeights({ values, inputs: size * inputs, outputs, scale, zeroPoint: zeroPoint + SIGN });
  }

  /** Kernels are published as signed bytes. */
  private quantizedKernel(name: string) {
    const { dimensions, raw } = this.constant(`${name}.weight_quantized`);
    const [scale = 0] = this.floats(`${name}.weight_scale`, 1);
    const [offset = 0] = this.floats(`${name}.weight_zero_point`, 1);
    const signed = new Int8Array(raw.buffer, raw.byteOffset, raw.length);
    return { dimensions, raw: signed, scale, zeroPoint: -Math.round(offset / scale) };
  }

  private matrixName(place: string): string {
    const name = this.products.get(`${place}/MatMul_output_0_output_quantized`)?.replace(/_quantized$/, "");
    if (name === undefined) throw new Error(`the model has no ${place}; it has an unexpected type or size`);
    return name;
  }

  private unsigned(name: string): UniformMatrix {
    const { dimensions, element, raw } = this.constant(`${name}_quantized`);
    const [inputs, outputs] = dimensions as [number, number];
    if (element !== ELEMENT.uint8) throw new Error(`the matrix ${name} has an unexpected type or size`);
    const scale = new Float32Array(this.constant(`${name}_scale`).raw.slice().buffer)[0] as number;
    const zeroPoint = this.constant(`${name}_zero_point`).raw[0] as number;
    return { values: raw, inputs, outputs, scale, zeroPoint };
  }

  private constant(name: string): Constant {
    const found = this.constants.get(name + this.suffix) ?? this.constants.get(name);
    if (!found) throw new Error(`the model has no ${name}; it has an unexpected type or size`);
    return found;
  }
}
