// The bytes of an endless stream over HTTP, as Icecast sends them.

/** Leaves out the blocks of metadata between the audio: a byte with their length in 16 bytes, and the text. */
export class WithoutMetadata {
  private untilBlock: number;
  private blockBytes = 0;

  /** @param every  audio bytes between two blocks; undefined without blocks */
  constructor(private readonly every: number | undefined) {
    this.untilBlock = every ?? Number.POSITIVE_INFINITY;
  }

  push(bytes: Buffer): Buffer {
    const audio: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      const from = at;
      if (this.blockBytes > 0) {
        at += Math.min(this.blockBytes, bytes.length - at);
        this.blockBytes -= at - from;
      } else if (this.untilBlock === 0) {
        this.blockBytes = 16 * (bytes[at++] as number);
        this.untilBlock = this.every ?? Number.POSITIVE_INFINITY;
      } else {
        at += Math.min(this.untilBlock, bytes.length - at);
        this.untilBlock -= at - from;
        audio.push(bytes.subarray(from, at));
      }
    }
    return audio.length === 1 ? (audio[0] as Buffer) : Buffer.concat(audio);
  }
}

/** Length of the end of a connection that is searched in the next one. */
const TAIL_BYTES = 1_024;
/** First bytes of the next connection that are searched: a server sends its last seconds first to every listener. */
const MOST_SEARCHED_BYTES = 1_048_576;

/**
 * Joins a connection to the previous one. A server begins with the last seconds, which the previous connection may have had. Where the
 * new bytes contain the end of the previous ones, the stream continues there without a gap, and nothing is repeated.
 */
export class Joint {
  private tail: Buffer = Buffer.alloc(0);
  private searched: Buffer | undefined;

  /** Keeps the last bytes of the stream so far. */
  note(bytes: Buffer): void {
    this.tail = (bytes.length < TAIL_BYTES ? Buffer.concat([this.tail, bytes]) : bytes).subarray(-TAIL_BYTES);
  }

  /** Begins the search in the bytes of a new connection. */
  begin(): void {
    this.searched = this.tail.length === TAIL_BYTES ? Buffer.alloc(0) : undefined;
  }

  /** Whether the next bytes are searched. */
  get isSearching(): boolean {
    return this.searched !== undefined;
  }

  /**
   * @param isOver  whether to search no longer
   * @returns undefined while the search continues. `isJoined`: `bytes` follow the stream so far; otherwise they begin another one
   */
  search(bytes: Buffer, isOver: boolean): { isJoined: boolean; bytes: Buffer } | undefined {
    const all = Buffer.concat([this.searched ?? Buffer.alloc(0), bytes]);
    const from = Math.max(0, (this.searched?.length ?? 0) - TAIL_BYTES);
    const at = all.indexOf(this.tail, from);
    if (at < 0 && !isOver && all.length < MOST_SEARCHED_BYTES) {
      this.searched = all;
      return undefined;
    }
    this.searched = undefined;
    return at < 0 ? { isJoined: false, bytes: all } : { isJoined: true, bytes: all.subarray(at + TAIL_BYTES) };
  }
}
