// Presents a part of a file to FFmpeg with some bytes of its header replaced. The file itself is not changed, and no copy
// is made.
import type { Demuxer } from "node-av";
import type { FilePart, Patch } from "../file-part.ts";
import { FileBytes } from "./file-bytes.ts";

const { AVSEEK_CUR, AVSEEK_END, AVSEEK_SET, AVSEEK_SIZE, AVERROR_EINVAL, Demuxer: Opener } = await import("node-av");

const READ_BYTES = 65_536;

class PatchedPart {
  private readonly file: FileBytes;
  private readonly lengthBytes: number;
  private position = 0;
  /** In the order of their positions; a long fragmented file may have tens of thousands. */
  private readonly patches: readonly Patch[];

  constructor(
    path: string,
    private readonly part: FilePart,
  ) {
    this.file = new FileBytes(path);
    this.patches = [...(part.patches ?? [])].sort((left, right) => left.atBytes - right.atBytes);
    this.lengthBytes = Math.min(part.endBytes, this.file.sizeBytes) - part.startBytes;
  }

  read(count: number): Buffer | null {
    const { startBytes } = this.part;
    const from = startBytes + this.position;
    const chunk = this.file.read(from, Math.min(count, this.lengthBytes - this.position));
    if (chunk.length === 0) return null;
    for (let at = this.firstPatchBehind(from); at < this.patches.length; at++) {
      const { atBytes, bytes } = this.patches[at] as Patch;
      if (atBytes >= from + chunk.length) break;
      const skipped = Math.max(0, from - atBytes);
      if (skipped < bytes.length) bytes.copy(chunk, Math.max(0, atBytes - from), skipped);
    }
    this.position += chunk.length;
    return chunk;
  }

  /** Index of the first patch that ends behind a position. */
  private firstPatchBehind(position: number): number {
    let [low, high] = [0, this.patches.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const { atBytes, bytes } = this.patches[middle] as Patch;
      if (atBytes + bytes.length > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  seek(offset: bigint, whence: number): bigint | number {
    if (whence === AVSEEK_SIZE) return BigInt(this.lengthBytes);
    const bases = new Map([
      [AVSEEK_SET as number, 0],
      [AVSEEK_CUR as number, this.position],
      [AVSEEK_END as number, this.lengthBytes],
    ]);
    const target = (bases.get(whence) ?? Number.NaN) + Number(offset);
    if (!(target >= 0)) return AVERROR_EINVAL;
    this.position = target;
    return BigInt(target);
  }

  close(): void {
    this.file.close();
  }
}

/** @throws FFmpegError if FFmpeg cannot read the part */
export function openPatched(path: string, part: FilePart): Demuxer {
  const patched = new PatchedPart(path, part);
  let input: Demuxer;
  try {
    input = Opener.openSync(
      { read: (count) => patched.read(count), seek: (offset, whence) => patched.seek(offset, whence) },
      { format: part.format, bufferSize: READ_BYTES, ...(part.options ? { options: part.options } : {}) },
    );
  } catch (thrown) {
    patched.close();
    throw thrown;
  }
  const close = input.close.bind(input);
  let isOpen = true;
  input.close = async () => {
    await close();
    if (isOpen) patched.close();
    isOpen = false;
  };
  return input;
}
