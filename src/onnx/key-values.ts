// Keys and values of what decoders have said, for several texts in one set of tensors. A pass reads them as they lie here;
// the rows that it adds are written behind them.
import * as ort from "onnxruntime-node";
import { floatsOf } from "./tensors.ts";

export interface KeyValueShape {
  /** Keys and values of each layer. */
  tensors: number;
  heads: number;
  headSize: number;
}

export const floatsIn = ({ tensors, heads, headSize }: KeyValueShape, slots: number, rows: number): number =>
  tensors * slots * heads * rows * headSize;

export class KeyValues {
  private readonly tensors: ort.Tensor[];

  /**
   * @param rows    that each text has room for
   * @param memory  that the tensors lie in: zeros, floatsIn(shape, slots, rows) of them
   */
  constructor(
    private readonly shape: KeyValueShape,
    readonly slots: number,
    readonly rows: number,
    readonly memory: Float32Array = new Float32Array(floatsIn(shape, slots, rows)),
  ) {
    const { tensors, heads, headSize } = shape;
    const size = slots * heads * rows * headSize;
    this.tensors = Array.from({ length: tensors }, (_, at) => {
      const part = memory.subarray(at * size, (at + 1) * size);
      return new ort.Tensor("float32", part, [slots, heads, rows, headSize]);
    });
  }

  /** Each [slots, heads, rows, headSize]. */
  get all(): readonly ort.Tensor[] {
    return this.tensors;
  }

  /** Those of the first so many texts, each [slots, heads, rows, headSize]. */
  first(slots: number): readonly ort.Tensor[] {
    if (slots === this.slots) return this.tensors;
    const { heads, headSize } = this.shape;
    const shape = [slots, heads, this.rows, headSize];
    const size = slots * heads * this.rows * headSize;
    return this.tensors.map((tensor) => new ort.Tensor("float32", floatsOf(tensor).subarray(0, size), shape));
  }

  /**
   * @param from  tensors [texts, heads, n, headSize], n at least `count`
   * @param text  which of their texts
   * @param at    where the first row goes
   */
  write(slot: number, at: number, from: readonly ort.Tensor[], text: number, count: number): void {
    const { heads, headSize } = this.shape;
    for (const [index, tensor] of from.entries()) {
      const source = floatsOf(tensor);
      const rows = tensor.dims[2] as number;
      const target = floatsOf(this.tensors[index]);
      for (let head = 0; head < heads; head++) {
        const first = (text * heads + head) * rows * headSize;
        const place = ((slot * heads + head) * this.rows + at) * headSize;
        target.set(source.subarray(first, first + count * headSize), place);
      }
    }
  }
}
