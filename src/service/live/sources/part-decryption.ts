// Decrypts parts of HLS, and the beginnings of files that describe their tracks (AES-128).
import { createDecipheriv } from "node:crypto";
import { errors } from "../../../platform/errors.ts";
import type { Fetching } from "./fetching.ts";
import type { PlaylistKey } from "./playlist.ts";

const KEY_BYTES = 16;

/** The initialisation vector of a part whose key has none: its number (RFC 8216, 5.2). */
export function numberedVector(sequence: number): Buffer {
  const iv = Buffer.alloc(KEY_BYTES);
  iv.writeBigUInt64BE(BigInt(sequence), KEY_BYTES / 2);
  return iv;
}

export class PartDecryption {
  /** The key that was used last, by its address. */
  private keys = new Map<string, Buffer>();

  constructor(private readonly fetching: Fetching) {}

  /** @param encrypted  bytes of a file from its beginning @param iv  initialisation vector @throws live.source_failed, live.source_refused */
  async *decrypted(
    encrypted: AsyncIterable<Buffer> | Iterable<Buffer>,
    key: PlaylistKey,
    iv: Buffer,
  ): AsyncGenerator<Buffer> {
    const decipher = createDecipheriv("aes-128-cbc", await this.keyBytes(key), iv);
    for await (const piece of encrypted) yield decipher.update(piece);
    try {
      yield decipher.final();
    } catch (thrown) {
      throw errors.liveSourceFailed("a part of its playlist cannot be decrypted", thrown);
    }
  }

  private async keyBytes({ url }: PlaylistKey): Promise<Buffer> {
    const known = this.keys.get(url.href);
    if (known) return known;
    const bytes = await this.fetching.bytes({ url }, KEY_BYTES);
    if (bytes.length !== KEY_BYTES) throw errors.liveSourceFailed(`a key of its playlist has ${bytes.length} bytes`);
    this.keys = new Map([[url.href, bytes]]);
    return bytes;
  }
}
