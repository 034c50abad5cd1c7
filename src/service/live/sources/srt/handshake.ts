// Messages of the handshake between a caller and a server of SRT (draft-sharabayko-srt-01, sections 3.2.1 and 4.3.1).
import { errors, type ParlanceError } from "../../../../platform/errors.ts";
import { SEQUENCE_MASK } from "./packets.ts";

const BODY_BYTES = 48;
const [VERSION_4, VERSION_5] = [4, 5];
/** Of UDT, which the first request names. */
const DATAGRAMS = 2;
/** In the answer of a server that supports version 5. */
const MAGIC = 0x4a17;
export const [INDUCTION, CONCLUSION] = [1, 0xffff_ffff];
const LEAST_REJECTION = 1_000;
const UNIT_BYTES = 1_500;
const FLOW_PACKETS = 8_192;
const HANDSHAKE_REQUEST = 1;
export const [HANDSHAKE_ANSWER, KEY_REQUEST, KEY_ANSWER, STREAM_ID] = [2, 3, 4, 5];
const [HAS_HANDSHAKE, HAS_KEY, HAS_CONFIGURATION] = [1, 2, 4];
/** As libsrt 1.5.0. */
const SRT_VERSION = 0x01_05_00;
/** Capabilities: delivery by time, encryption, dropping of late packets, repeated reports of losses, and a mark on repeated packets. */
const FLAGS = 0x3f;
const MOST_EXTENSIONS = 16;
const WORD_BYTES = 4;

interface Common {
  /** Socket id of the caller. */
  socket: number;
  /** First sequence number. */
  sequence: number;
}

function body({ socket, sequence }: Common, type: number, version: number): Buffer {
  const bytes = Buffer.alloc(BODY_BYTES);
  bytes.writeUInt32BE(version, 0);
  bytes.writeUInt32BE(sequence, 8);
  bytes.writeUInt32BE(UNIT_BYTES, 12);
  bytes.writeUInt32BE(FLOW_PACKETS, 16);
  bytes.writeUInt32BE(type, 20);
  bytes.writeUInt32BE(socket, 24);
  return bytes;
}

export function inductionBody(common: Common): Buffer {
  const bytes = body(common, INDUCTION, VERSION_4);
  bytes.writeUInt16BE(DATAGRAMS, 6);
  return bytes;
}

function extension(type: number, content: Buffer): Buffer {
  const header = Buffer.alloc(WORD_BYTES);
  header.writeUInt16BE(type, 0);
  header.writeUInt16BE(content.length / WORD_BYTES, 2);
  return Buffer.concat([header, content]);
}

/** Text has its bytes in reverse in each word. */
function reversedWords(text: Buffer): Buffer {
  const padded = Buffer.alloc(Math.ceil(text.length / WORD_BYTES) * WORD_BYTES);
  text.copy(padded);
  return padded.swap32();
}

export interface Conclusion extends Common {
  cookie: number;
  latencyMilliseconds: number;
  streamId: string;
  /** Key length and message; undefined without a passphrase. */
  encryption: { keyBytes: number; message: Buffer } | undefined;
}

export function conclusionBody({ cookie, latencyMilliseconds, streamId, encryption, ...common }: Conclusion): Buffer {
  const bytes = body(common, CONCLUSION, VERSION_5);
  bytes.writeUInt32BE(cookie, 28);
  const request = Buffer.alloc(12);
  request.writeUInt32BE(SRT_VERSION, 0);
  request.writeUInt32BE(FLAGS, 4);
  // For what the caller receives, and what it sends: it sends nothing.
  request.writeUInt16BE(latencyMilliseconds, 8);
  const extensions = [extension(HANDSHAKE_REQUEST, request)];
  if (encryption) {
    bytes.writeUInt16BE(encryption.keyBytes / 8, 4);
    extensions.push(extension(KEY_REQUEST, encryption.message));
  }
  if (streamId !== "") extensions.push(extension(STREAM_ID, reversedWords(Buffer.from(streamId))));
  bytes.writeUInt16BE(HAS_HANDSHAKE | (encryption ? HAS_KEY : 0) | (streamId === "" ? 0 : HAS_CONFIGURATION), 6);
  return Buffer.concat([bytes, ...extensions]);
}

export interface Handshake {
  version: number;
  /** Bytes of the key that the server advises; undefined without advice. */
  keyBytes: 16 | 24 | 32 | undefined;
  /** Of an answer to an induction: whether the server supports version 5. */
  isModern: boolean;
  sequence: number;
  type: number;
  socket: number;
  cookie: number;
  /** By type. */
  extensions: ReadonlyMap<number, Buffer>;
}

const KEY_BYTES: Readonly<Record<number, 16 | 24 | 32>> = { 2: 16, 3: 24, 4: 32 };

/** @returns undefined for what is no handshake */
export function parseHandshake(bytes: Buffer): Handshake | undefined {
  if (bytes.length < BODY_BYTES) return undefined;
  const extensions = new Map<number, Buffer>();
  let rest = bytes.subarray(BODY_BYTES);
  while (rest.length >= WORD_BYTES && extensions.size < MOST_EXTENSIONS) {
    const end = WORD_BYTES + WORD_BYTES * rest.readUInt16BE(2);
    if (end > rest.length) break;
    extensions.set(rest.readUInt16BE(0), rest.subarray(WORD_BYTES, end));
    rest = rest.subarray(end);
  }
  return {
    version: bytes.readUInt32BE(0),
    keyBytes: KEY_BYTES[bytes.readUInt16BE(4)],
    isModern: bytes.readUInt32BE(0) >= VERSION_5 && bytes.readUInt16BE(6) === MAGIC,
    sequence: bytes.readUInt32BE(8) & SEQUENCE_MASK,
    type: bytes.readUInt32BE(20),
    socket: bytes.readUInt32BE(24),
    cookie: bytes.readUInt32BE(28),
    extensions,
  };
}

/** Latency that the server requests for what it sends, milliseconds. @returns undefined for an answer without it */
export function latencyOf({ extensions }: Handshake): number | undefined {
  const answer = extensions.get(HANDSHAKE_ANSWER);
  return answer && answer.length >= 12 ? answer.readUInt16BE(10) : undefined;
}

const PASSPHRASE_ADVICE = "give the passphrase of the stream: srt://…?passphrase=…";
const BAD_PASSPHRASE = "its server has another passphrase: correct the one in the address";
/** Reasons that another attempt would meet, too. */
const REFUSALS: Readonly<Record<number, string>> = {
  1002: "check streamid and passphrase, and whether the stream is on air",
  1004: "it could not read the request",
  1008: "it requires another version of SRT",
  1010: BAD_PASSPHRASE,
  1011: "one side has a passphrase and the other side has none",
  1012: "it sends files, and no live stream",
  1013: "it requires another congestion control",
  1014: "it requires a packet filter",
  1015: "it requires a group of connections",
  1400: "it cannot read streamid",
  1401: "the user name or password in streamid is wrong",
  1403: "it does not permit this stream",
  1404: "it has no such stream",
  1405: "it does not send this stream",
  1406: "it cannot send the stream that streamid describes",
  1415: "it does not have this kind of media",
  1501: "it does not support this request",
  1505: "it requires another version of SRT",
};

/** @returns the error for an answer that is no conclusion */
export function rejection(type: number): ParlanceError {
  if (type < LEAST_REJECTION || type === 0xffff_fffe || type === 0xffff_fffd)
    return errors.liveSourceFailed(
      "its server answered the handshake of SRT with a message that does not belong there",
    );
  const refusal = REFUSALS[type];
  if (refusal !== undefined)
    return errors.liveSourceRefused(`its server rejected the connection (${type}): ${refusal}`);
  return errors.liveSourceFailed(`its server rejected the connection (${type})`);
}

/**
 * Whether the server takes part in the encryption.
 * @param message  of the caller; undefined without a passphrase
 * @throws live.source_refused
 */
export function checkEncryption({ extensions }: Handshake, message: Buffer | undefined): void {
  const answer = extensions.get(KEY_ANSWER);
  if (!message) {
    if (answer) throw errors.liveSourceRefused(`the stream is encrypted: ${PASSPHRASE_ADVICE}`);
    return;
  }
  if (!answer)
    throw errors.liveSourceRefused("its server does not encrypt the stream: remove the passphrase from the address");
  if (!answer.equals(message)) throw errors.liveSourceRefused(BAD_PASSPHRASE);
}

/** @returns the error for packets that are encrypted though the address has no passphrase */
export const encryptedWithoutPassphrase = (): ParlanceError =>
  errors.liveSourceRefused(`the stream is encrypted: ${PASSPHRASE_ADVICE}`);
