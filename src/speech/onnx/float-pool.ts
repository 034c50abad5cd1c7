// Reusable memory for large tensors, which avoids garbage collection: a pass writes its results to their final
// location.

/** Floats per block: 8 MB, the smallest size that glibc returns to the system when it is freed (`inference-processes.ts`). */
const BLOCK_LENGTH = 1 << 21;

/**
 * An empty block is kept for so long: V8 frees a dropped block only at its next full collection, and a busy process would leave
 * hundreds of megabytes of them meanwhile.
 */
const KEEP_MILLISECONDS = 3_000;

interface Block {
  floats: Float32Array;
  /** When it became empty, milliseconds. */
  emptyAt: number;
  /** Ranges in use, in order. */
  used: { from: number; to: number }[];
}

export class FloatPool {
  private blocks: Block[] = [];
  private timer: NodeJS.Timeout | undefined;

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
    this.blocks.push({ floats, emptyAt: 0, used: [{ from: 0, to: length }] });
    return floats.subarray(0, length);
  }

  /** @param part  as returned by `acquire`, or another view of it; must not be used afterwards */
  release(part: Float32Array | Uint16Array): void {
    const block = this.blocks.find(({ floats }) => floats.buffer === part.buffer);
    if (!block) return;
    const from = part.byteOffset / Float32Array.BYTES_PER_ELEMENT;
    block.used = block.used.filter((one) => one.from !== from);
    if (block.used.length > 0) return;
    block.emptyAt = performance.now();
    this.timer ??= setTimeout(() => this.dropEmpty(), KEEP_MILLISECONDS).unref();
  }

  private dropEmpty(): void {
    this.timer = undefined;
    const before = performance.now() - KEEP_MILLISECONDS;
    const isKept = ({ used, emptyAt }: Block, at: number) => at === 0 || used.length > 0 || emptyAt > before;
    // The first block is kept for later requests.
    const kept = this.blocks.filter(isKept);
    const isDropped = kept.length < this.blocks.length;
    this.blocks = kept;
    if (isDropped) globalThis.gc?.();
    if (kept.slice(1).some(({ used }) => used.length === 0))
      this.timer = setTimeout(() => this.dropEmpty(), KEEP_MILLISECONDS).unref();
  }
}
