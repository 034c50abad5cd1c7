// The encryption of SRT (draft-sharabayko-srt-01, sections 3.2.2 and 6): AES in counter mode. The caller makes the key, and sends it wrapped
// (RFC 3394) by a key that PBKDF2 derives from the passphrase. The server may send new keys, wrapped likewise.
import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes } from "node:crypto";

const VERSION_AND_TYPE = 0x12;
const SIGNATURE = 0x2029;
const [AES_COUNTER, NO_AUTHENTICATION, TRANSPORT_STREAM] = [2, 0, 2];
const HEADER_BYTES = 16;
const SALT_BYTES = 16;
const CHECK_BYTES = 8;
const ITERATIONS = 2_048;
const WRAP_START = Buffer.alloc(CHECK_BYTES, 0xa6);
export const [EVEN, ODD] = [1, 2];
/** Messages with new keys that come sooner are ignored, because each costs a millisecond. */
const LEAST_REKEY_MILLISECONDS = 1_000;

interface StreamKey {
  key: Buffer;
  salt: Buffer;
}

export class StreamKeys {
  /** By the flag of the packets. */
  private readonly keys = new Map<number, StreamKey>();
  /** The last message of the server that was accepted. */
  private lastMessage: Buffer | undefined;
  private rekeyedAt = Number.NEGATIVE_INFINITY;
  /** For the server: the message with the key of the stream. */
  readonly message: Buffer;

  constructor(
    private readonly passphrase: string,
    private readonly keyBytes: 16 | 24 | 32,
  ) {
    const salt = randomBytes(SALT_BYTES);
    const key = randomBytes(keyBytes);
    this.keys.set(EVEN, { key, salt });
    const header = Buffer.alloc(HEADER_BYTES);
    header[0] = VERSION_AND_TYPE;
    header.writeUInt16BE(SIGNATURE, 1);
    header[3] = EVEN;
    header[8] = AES_COUNTER;
    header[9] = NO_AUTHENTICATION;
    header[10] = TRANSPORT_STREAM;
    header[14] = SALT_BYTES / 4;
    header[15] = keyBytes / 4;
    const wrap = createCipheriv(`id-aes${8 * keyBytes}-wrap`, this.wrappingKey(salt), WRAP_START);
    this.message = Buffer.concat([header, salt, wrap.update(key), wrap.final()]);
  }

  /** Takes new keys of the server. @returns whether to confirm the message */
  accept(message: Buffer, now: number): boolean {
    if (this.lastMessage?.equals(message)) return true;
    const { keyBytes } = this;
    if (message.length < HEADER_BYTES + SALT_BYTES || now - this.rekeyedAt < LEAST_REKEY_MILLISECONDS) return false;
    const flags = (message[3] as number) & (EVEN | ODD);
    const known = [flags & EVEN, flags & ODD].filter((flag) => flag !== 0);
    const isReadable =
      message[0] === VERSION_AND_TYPE &&
      message.readUInt16BE(1) === SIGNATURE &&
      message[8] === AES_COUNTER &&
      message[14] === SALT_BYTES / 4 &&
      message[15] === keyBytes / 4 &&
      known.length > 0 &&
      message.length === HEADER_BYTES + SALT_BYTES + CHECK_BYTES + known.length * keyBytes;
    if (!isReadable) return false;
    this.rekeyedAt = now;
    const salt = Buffer.from(message.subarray(HEADER_BYTES, HEADER_BYTES + SALT_BYTES));
    const unwrapped = this.unwrap(message.subarray(HEADER_BYTES + SALT_BYTES), salt);
    if (!unwrapped) return false;
    known.forEach((flag, at) => {
      this.keys.set(flag, { salt, key: unwrapped.subarray(at * keyBytes, (at + 1) * keyBytes) });
    });
    this.lastMessage = Buffer.from(message);
    return true;
  }

  /** @returns undefined if the key is not known, or the payload is not encrypted */
  decrypt(payload: Buffer, flag: number, sequence: number): Buffer | undefined {
    const known = this.keys.get(flag);
    if (!known) return undefined;
    const counter = Buffer.alloc(SALT_BYTES);
    known.salt.copy(counter, 0, 0, SALT_BYTES - 2);
    counter.writeUInt32BE((counter.readUInt32BE(10) ^ sequence) >>> 0, 10);
    return createDecipheriv(`aes-${8 * this.keyBytes}-ctr`, known.key, counter).update(payload);
  }

  private unwrap(wrapped: Buffer, salt: Buffer): Buffer | undefined {
    try {
      const unwrap = createDecipheriv(`id-aes${8 * this.keyBytes}-wrap`, this.wrappingKey(salt), WRAP_START);
      return Buffer.concat([unwrap.update(wrapped), unwrap.final()]);
    } catch {
      // Wrapped by another passphrase, or damaged.
      return undefined;
    }
  }

  private wrappingKey(salt: Buffer): Buffer {
    return pbkdf2Sync(this.passphrase, salt.subarray(CHECK_BYTES), ITERATIONS, this.keyBytes, "sha1");
  }
}
