// Recognises recordings whose audio is encrypted: FFmpeg decodes them to noise or to nothing. Only headers are read, and
// every loop is bounded.

import { id3Length } from "../../container-format.ts";
import { ASF_OBJECT_BYTES, asfHeaderObjects, asfId, asfLength, isAsfObject } from "./asf-objects.ts";
import { FileBytes } from "./file-bytes.ts";
import { matroskaEncryption } from "./matroska-encryption.ts";
import { mp4Encryption } from "./mp4-boxes.ts";
import { transportEncryption } from "./transport-encryption.ts";
import { isRandom } from "./unused-bytes.ts";

/** @returns the scheme, as in "Common Encryption (cenc)"; undefined if the track is not encrypted */
type Recognise = (file: FileBytes, track: number) => string | undefined;

/** Objects in the header of ASF files that only protected files have (Advanced Systems Format, 3.14 to 3.16). */
const ASF_PROTECTION = [
  "fbb31122 23bdd211 b4b700a0 c955fc6e",
  "14e68a29 22261747 b935dae0 7ee9289c",
  "33850543 81699e49 9b74ad12 cb86d58c",
].map(asfId);

function asfEncryption(file: FileBytes): string | undefined {
  const headerBytes = asfLength(file.read(0, ASF_OBJECT_BYTES));
  for (const object of asfHeaderObjects(file, headerBytes, ASF_OBJECT_BYTES))
    if (ASF_PROTECTION.some((id) => isAsfObject(object, id))) return "Windows Media DRM";
  return undefined;
}

/** Values of the field in the header of Sony's OpenMG Audio that mean no encryption. The header follows a tag like ID3's. */
const OPENMG_CLEAR = new Set([0xffff, 0xff80]);

function openMgEncryption(file: FileBytes): string | undefined {
  const header = file.read(id3Length(file.read(0, 10)), 8);
  const isHeader = header.length === 8 && header.toString("latin1", 0, 3) === "EA3";
  return isHeader && !OPENMG_CLEAR.has(header.readUInt16BE(6)) ? "OpenMG" : undefined;
}

/** By FFmpeg's name of the format. */
const RECOGNISERS: readonly [format: RegExp, recognise: Recognise][] = [
  [/^mov/, mp4Encryption],
  [/^matroska/, matroskaEncryption],
  [/^(asf|xwma)/, asfEncryption],
  [/^oma/, openMgEncryption],
  [/^mpegts/, transportEncryption],
];

/**
 * @param format  FFmpeg's name of the container
 * @param track  number among the audio tracks
 * @returns the scheme if the audio track is encrypted
 */
export function encryptionOf(path: string, format: string, track: number): string | undefined {
  const recognise = RECOGNISERS.find(([name]) => name.test(format))?.[1];
  if (!recognise) return undefined;
  const file = new FileBytes(path);
  try {
    return recognise(file, track);
  } finally {
    file.close();
  }
}

const EXAMINED_BYTES = 65_536;
/** Length of a block of AES, to which encrypted segments are padded. */
const BLOCK_BYTES = 16;

/** Whether a file of an unknown format may be encrypted as a whole, as segments of HLS are. */
export function isLikeEncrypted(path: string): boolean {
  const file = new FileBytes(path);
  try {
    return file.sizeBytes % BLOCK_BYTES === 0 && isRandom(file.read(0, EXAMINED_BYTES));
  } finally {
    file.close();
  }
}
