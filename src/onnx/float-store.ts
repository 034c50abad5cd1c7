// Memory for large tensors, used again and again: a pass writes them where they stay, and none of it waits for a collector.

/** Numbers of a block: 16 MB. */
const BLOCK_LENGTH = 1 << 22;

interface Block {
  floats: Float32Array;
  /** Where what was taken begins and ends, in order. */
  taken: { from: number; to: number }[];
}

export class FloatStore {
  private readonly blocks: Block[] = [];

  /** @returns so many numbers of any value, until they are given back */
  take(length: number): Float32Array {
    for (const block of this.blocks) {
      let from = 0;
      let at = 0;
      for (const next of block.taken) {
        if (next.from - from >= length) break;
        from = next.to;
        at++;
      }
      if (block.floats.length - from < length) continue;
      block.taken.splice(at, 0, { from, to: from + length });
      return block.floats.subarray(from, from + length);
    }
    const floats = new Float32Array(Math.max(length, BLOCK_LENGTH));
    this.blocks.push({ floats, taken: [{ from: 0, to: length }] });
    return floats.subarray(0, length);
  }

  /** @param part  as it was taken; nobody reads it any more */
  give(part: Float32Array): void {
    const index = this.blocks.findIndex(({ floats }) => floats.buffer === part.buffer);
    const block = this.blocks[index];
    if (!block) return;
    const from = part.byteOffset / part.BYTES_PER_ELEMENT;
    block.taken = block.taken.filter((one) => one.from !== from);
    // The first one stays for what comes next.
    if (block.taken.length === 0 && index > 0) this.blocks.splice(index, 1);
  }
}
