// Encrypted MPEG transport streams: scrambled packets of broadcasts (ISO 13818-1, table 2-4), and the types of streams of
// which HLS encrypts the samples (MPEG-2 Stream Encryption Format for HTTP Live Streaming).
import type { FileBytes } from "./file-bytes.ts";

const PACKET_BYTES = 188;
const SYNC_BYTE = 0x47;
const EXAMINED_PACKETS = 4_096;
const SCRAMBLED = 0x80;
const STARTS_UNIT = 0x40;
const HAS_PAYLOAD = 0x10;
const HAS_ADAPTATION = 0x20;
const PROGRAM_TABLE = 2;
/** AAC, AC-3 and E-AC-3 with encrypted samples. */
const ENCRYPTED_TYPES = new Set([0xcf, 0xc1, 0xc2]);
const STREAM_ENTRY_BYTES = 5;
/** Share of encrypted packets. With a larger share, the stream is refused. */
const MOST_SCRAMBLED_SHARE = 0.5;

/** Whether a packet begins a program map with a stream of an encrypted type. */
function hasEncryptedType(packet: Buffer, payload: number): boolean {
  const section = payload + 1 + (packet[payload] ?? 0);
  if (packet[section] !== PROGRAM_TABLE || section + 12 > PACKET_BYTES) return false;
  const end = Math.min(PACKET_BYTES, section + 3 + (packet.readUInt16BE(section + 1) & 0xfff) - 4);
  for (let at = section + 12 + (packet.readUInt16BE(section + 10) & 0xfff); at + STREAM_ENTRY_BYTES <= end; ) {
    if (ENCRYPTED_TYPES.has(packet[at] as number)) return true;
    at += STREAM_ENTRY_BYTES + (packet.readUInt16BE(at + 3) & 0xfff);
  }
  return false;
}

export function transportEncryption(file: FileBytes): string | undefined {
  const bytes = file.read(0, EXAMINED_PACKETS * PACKET_BYTES);
  let payloads = 0;
  let scrambled = 0;
  for (let at = bytes.indexOf(SYNC_BYTE); at >= 0 && at + PACKET_BYTES <= bytes.length; at += PACKET_BYTES) {
    const packet = bytes.subarray(at, at + PACKET_BYTES);
    const [sync, high = 0, , flags = 0] = packet;
    if (sync !== SYNC_BYTE || (flags & HAS_PAYLOAD) === 0) continue;
    payloads++;
    if ((flags & SCRAMBLED) !== 0) scrambled++;
    const payload = 4 + ((flags & HAS_ADAPTATION) === 0 ? 0 : 1 + (packet[4] as number));
    if ((high & STARTS_UNIT) !== 0 && hasEncryptedType(packet, payload)) return "SAMPLE-AES";
  }
  return scrambled > payloads * MOST_SCRAMBLED_SHARE ? "scrambled transport stream" : undefined;
}
