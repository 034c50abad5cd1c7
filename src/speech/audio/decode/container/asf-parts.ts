// Windows Media files whose header states fewer bytes than there are packets, as of a recorder that stopped before its last update of
// the header. FFmpeg would leave the rest out.
import type { Steps } from "../../steps.ts";
import type { FileParts } from "../file-part.ts";
import { ASF_HEADER_BYTES, ASF_OBJECT_BYTES, asfHeaderObjects, asfId, asfLength, isAsfObject } from "./asf-objects.ts";
import { FileBytes } from "./file-bytes.ts";
import { staleNote } from "./sound-parts.ts";

/** Advanced Systems Format, 3.1, 3.2 and 5.1. */
const HEADER = asfId("3026b275 8e66cf11 a6d900aa 0062ce6c");
const PROPERTIES = asfId("a1dcab8c 47a9cf11 8ee400c0 0c205365");
const DATA = asfId("3626b275 8e66cf11 a6d900aa 0062ce6c");
const ID_BYTES = 16;
const DATA_HEADER_BYTES = 50;
/** Of the object with the properties of the file: flags, and the smallest and the largest size of a packet. */
const FLAGS_AT = 88;
const PROPERTIES_BYTES = 104;
const IS_BROADCAST = 1;
const LARGEST_PACKET_BYTES = 2 ** 20;
/** FFmpeg reads a smaller object to the end of the file. */
const LEAST_STATED_BYTES = 100;
const HAS_ERROR_CORRECTION = 0x80;
const SEARCH_BYTES = 2 ** 20;

interface Packets {
  /** Position of the object that holds them. */
  objectBytes: number;
  /** Its length by the header. */
  statedBytes: number;
  packetBytes: number;
}

/** @returns undefined for another file, and for packets of several sizes */
function packetsOf(file: FileBytes): Packets | undefined {
  const header = file.read(0, ASF_HEADER_BYTES);
  if (header.length < ASF_HEADER_BYTES || !isAsfObject(header, HEADER)) return undefined;
  const objectBytes = asfLength(header);
  const data = file.read(objectBytes, ASF_OBJECT_BYTES);
  if (data.length < ASF_OBJECT_BYTES || !isAsfObject(data, DATA)) return undefined;
  for (const object of asfHeaderObjects(file, objectBytes, PROPERTIES_BYTES)) {
    if (!isAsfObject(object, PROPERTIES)) continue;
    if (object.length < PROPERTIES_BYTES) return undefined;
    const flags = object.readUInt32LE(FLAGS_AT);
    const least = object.readUInt32LE(FLAGS_AT + 4);
    const most = object.readUInt32LE(FLAGS_AT + 8);
    const isUsable = least === most && most > 0 && most <= LARGEST_PACKET_BYTES && (flags & IS_BROADCAST) === 0;
    return isUsable ? { objectBytes, statedBytes: asfLength(data), packetBytes: most } : undefined;
  }
  return undefined;
}

/** @returns end of the packets that follow each other from `from` on. The first byte that begins no packet, as that of an index, ends them */
function* endOfPackets(file: FileBytes, from: number, packetBytes: number, first: number): Steps<number> {
  const isPacket = (byte: number) =>
    (first & HAS_ERROR_CORRECTION) === 0 ? (byte & HAS_ERROR_CORRECTION) === 0 : byte === first;
  const window = Math.max(1, Math.floor(SEARCH_BYTES / packetBytes)) * packetBytes;
  for (let start = from; start < file.sizeBytes; start += window) {
    const bytes = file.read(start, window);
    for (let at = 0; at < bytes.length; at += packetBytes) if (!isPacket(bytes[at] as number)) return start + at;
    yield 0;
  }
  return file.sizeBytes;
}

/** @returns the file with the length of its packets, if its header states a smaller one; otherwise no part */
export function* asfParts(path: string): Steps<FileParts> {
  const file = new FileBytes(path);
  try {
    const packets = packetsOf(file);
    if (!packets || packets.statedBytes < LEAST_STATED_BYTES) return { parts: [], notes: [] };
    const { objectBytes, statedBytes, packetBytes } = packets;
    const begin = objectBytes + DATA_HEADER_BYTES;
    const stated = Math.ceil((objectBytes + statedBytes - begin) / packetBytes) * packetBytes;
    const from = begin + Math.max(0, stated);
    const [first] = file.read(begin, 1);
    if (first === undefined || from >= file.sizeBytes) return { parts: [], notes: [] };
    const end = yield* endOfPackets(file, from, packetBytes, first);
    if (end === from) return { parts: [], notes: [] };
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(end - objectBytes));
    const patches = [{ atBytes: objectBytes + ID_BYTES, bytes }];
    return {
      parts: [{ format: "asf", startBytes: 0, endBytes: file.sizeBytes, patches, extension: "wma" }],
      notes: [staleNote(statedBytes - DATA_HEADER_BYTES, end - begin)],
    };
  } finally {
    file.close();
  }
}
