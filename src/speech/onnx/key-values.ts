// KV cache for a batch of sequences in one set of tensors. A pass reads the tensors in place; its new rows are
// appended.
import * as ort from "./runtime.ts";
import { floatsOf } from "./tensors.ts";

export interface KeyValueShape {
  /** Number of tensors: a key and a value per layer. */
  tensors: number;
  heads: number;
  headSize: number;
}

export const floatsIn = ({ tensors, heads, headSize }: KeyValueShape, slots: number, rows: number): number =>
  tensors * slots * heads * rows * headSize;

export class KeyValues {
  private readonly tensors: ort.Tensor[];

  /**
   * @param rows    capacity of each sequence
   * @param memory  memory for the tensors: floatsIn(shape, slots, rows) zeros
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

  /** All tensors, each [slots, heads, rows, headSize]. */
  get all(): readonly ort.Tensor[] {
    return this.tensors;
  }

  /** Tensors of the first `slots` sequences, each [slots, heads, rows, headSize]. */
  first(slots: number): readonly ort.Tensor[] {
    if (slots === this.slots) return this.tensors;
    const { heads, headSize } = this.shape;
    const shape = [slots, heads, this.rows, headSize];
    const size = slots * heads * this.rows * headSize;
    return this.tensors.map((tensor) => new ort.Tensor("float32", floatsOf(tensor).subarray(0, size), shape));
  }

  /**
   * Copies rows of a sequence into a slot.
   * @param from  tensors [sequences, heads, n, headSize], n at least `count`
   * @param sequence  index of the sequence in `from`
   * @param at    first row to write
   */
  write(slot: number, at: number, from: readonly ort.Tensor[], sequence: number, count: number): void {
    const { heads, headSize } = this.shape;
    for (const [index, tensor] of from.entries()) {
      const source = floatsOf(tensor);
      const rows = tensor.dims[2] as number;
      const target = floatsOf(this.tensors[index]);
      for (let head = 0; head < heads; head++) {
        const first = (sequence * heads + head) * rows * headSize;
        const place = ((slot * heads + head) * this.rows + at) * headSize;
        target.set(source.subarray(first, first + count * headSize), place);
      }
    }
  }
}
