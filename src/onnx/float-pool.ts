// Reusable memory for large tensors, which avoids garbage collection: a pass writes its results to their final
// location.

/** Floats per block: 16 MB. */
const BLOCK_LENGTH = 1 << 22;

interface Block {
  floats: Float32Array;
  /** Ranges in use, in order. */
  used: { from: number; to: number }[];
}

export class FloatPool {
  private readonly blocks: Block[] = [];

  /** @returns `length` floats with undefined content */
  acquire(length: number): Float32Array {
    for (const block of this.blocks) {
      let from = 0;
      let at = 0;
      for (const next of block.used) {
        if (next.from - from >= length) break;
        from = next.to;
        at++;
      }
      if (block.floats.length - from < length) continue;
      block.used.splice(at, 0, { from, to: from + length });
      return block.floats.subarray(from, from + length);
    }
    const floats = new Float32Array(Math.max(length, BLOCK_LENGTH));
    this.blocks.push({ floats, used: [{ from: 0, to: length }] });
    return floats.subarray(0, length);
  }

  /** @param part  as returned by `acquire`; must not be used afterwards */
  release(part: Float32Array): void {
    const index = this.blocks.findIndex(({ floats }) => floats.buffer === part.buffer);
    const block = this.blocks[index];
    if (!block) return;
    const from = part.byteOffset / part.BYTES_PER_ELEMENT;
    block.used = block.used.filter((one) => one.from !== from);
    // The first block is kept for later requests.
    if (block.used.length === 0 && index > 0) this.blocks.splice(index, 1);
  }
}
