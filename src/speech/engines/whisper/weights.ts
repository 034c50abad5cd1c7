// The checkpoint's tensors in the form that the graphs require: value biases are moved after the attention, whose rows
// sum to one, and the scale of the attention scores is applied to the queries.
import type { Checkpoint } from "./checkpoint.ts";
import type { Weights } from "./linear.ts";

export interface AttentionWeights {
  /** Rows of queries, keys and values, concatenated. */
  queryKeyValue: Weights;
  query: Weights;
  queryBias: Float32Array;
  out: Weights;
  outBias: Float32Array;
}

export class WeightReader {
  constructor(private readonly checkpoint: Checkpoint) {}

  read(name: string, shape: readonly number[]): Promise<Float32Array> {
    return this.checkpoint.read(name, shape);
  }

  has(name: string): boolean {
    return this.checkpoint.has(name);
  }

  /** @param tensor  name without ".weight" */
  async matrix(tensor: string, outputs: number, inputs: number): Promise<Weights> {
    return { values: await this.read(`${tensor}.weight`, [outputs, inputs]), outputs, inputs };
  }

  async attention(tensor: string, size: number, headSize: number): Promise<AttentionWeights> {
    const [query, key, value, out] = (await Promise.all(
      ["q_proj", "k_proj", "v_proj", "out_proj"].map((part) => this.matrix(`${tensor}.${part}`, size, size)),
    )) as [Weights, Weights, Weights, Weights];
    const [queryBias, valueBias, outBias] = (await Promise.all(
      ["q_proj", "v_proj", "out_proj"].map((part) => this.read(`${tensor}.${part}.bias`, [size])),
    )) as [Float32Array, Float32Array, Float32Array];
    const scale = 1 / Math.sqrt(headSize);
    const scaled = { ...query, values: query.values.map((weight) => weight * scale) };
    const values = new Float32Array(3 * size * size);
    for (const [at, part] of [scaled, key, value].entries()) values.set(part.values, at * size * size);
    const moved = outBias.map((bias, row) => {
      let sum = bias;
      for (let column = 0; column < size; column++) {
        sum += (out.values[row * size + column] as number) * (valueBias[column] as number);
      }
      return sum;
    });
    return {
      queryKeyValue: { values, outputs: 3 * size, inputs: size },
      query: scaled,
      queryBias: queryBias.map((bias) => bias * scale),
      out,
      outBias: moved,
    };
  }
}
