// Chunks of RIFF, IFF, Core Audio and Wave64 files: a name, a length, and the content. Sources: Multimedia Programming
// Interface and Data Specifications 1.0; EA IFF 85; EBU Tech 3306 (RF64); Apple's Core Audio Format; Sony's Wave64.
import type { FileBytes } from "./file-bytes.ts";

export interface Chunk {
  /** Four characters; of Wave64's identifiers, the first four bytes. */
  name: string;
  contentBytes: number;
  /** Of the content, as the chunk states it; infinite if it states that it is not known. */
  lengthBytes: number;
  /** Where the next chunk begins. */
  nextBytes: number;
}

export interface ChunkGrammar {
  headerBytes: number;
  /** Bytes between a chunk's start and its length. */
  lengthAt: number;
  /** @returns length of the content; undefined if the chunk states that it is not known */
  readLength(header: Buffer): number | undefined;
  /** A length for FFmpeg. One that is too large for the field becomes 0: FFmpeg then reads to the end. */
  writeLength(lengthBytes: number): Buffer;
  /** Contents are padded to multiples of this. */
  alignment: number;
  /** Names of chunks that hold no sound. */
  metadata: readonly string[];
}

const LARGEST_32_BITS = 0xffff_ffff;

/** Names of four characters, separated by commas. */
const names = (text: string): string[] => text.split(",");

const WAVE_METADATA = names(
  "LIST,INFO,id3 ,ID3 ,bext,cue ,plst,iXML,axml,smpl,inst,fact,PEAK,JUNK,junk,PAD ,FLLR,_PMX,cart,umid,DISP,acid,strc,levl,qlty,link,chna,afsp,note,labl,ltxt,MARK,r64m,wavl,slnt,minf,elm1,regn,bsd ,vers,SAUR,LGWV,AFAn",
);
const IFF_METADATA = names(
  "ANNO,AUTH,NAME,(c) ,MARK,INST,APPL,COMT,ID3 ,MIDI,AESD,FVER,CHAN,SAXL,COMM,LIST,BMHD,CHRS,PAN ,ATAK,RLSE",
);
const CORE_METADATA = names("info,uuid,free,mark,strg,edct,peak,ovvw,midi,umid,inst,regn,kuki,pakt,chan");

function riff(isBig: boolean): ChunkGrammar {
  return {
    headerBytes: 8,
    lengthAt: 4,
    readLength(header) {
      const length = isBig ? header.readUInt32BE(4) : header.readUInt32LE(4);
      return length === LARGEST_32_BITS ? undefined : length;
    },
    writeLength(lengthBytes) {
      const bytes = Buffer.alloc(4);
      const length = lengthBytes >= LARGEST_32_BITS ? 0 : lengthBytes;
      if (isBig) bytes.writeUInt32BE(length);
      else bytes.writeUInt32LE(length);
      return bytes;
    },
    alignment: 2,
    metadata: isBig ? [...WAVE_METADATA, ...IFF_METADATA] : WAVE_METADATA,
  };
}

export const RIFF_CHUNKS = riff(false);
export const IFF_CHUNKS = riff(true);

export const CORE_AUDIO_CHUNKS: ChunkGrammar = {
  headerBytes: 12,
  lengthAt: 4,
  readLength(header) {
    const length = header.readBigInt64BE(4);
    return length < 0n ? undefined : Number(length);
  },
  writeLength(lengthBytes) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(BigInt(lengthBytes));
    return bytes;
  },
  alignment: 1,
  metadata: CORE_METADATA,
};

const WAVE64_HEADER_BYTES = 24;

export const WAVE64_CHUNKS: ChunkGrammar = {
  headerBytes: WAVE64_HEADER_BYTES,
  lengthAt: 16,
  readLength(header) {
    const length = header.readBigUInt64LE(16);
    // Writers that do not know the length write 0 or the greatest number.
    return length < WAVE64_HEADER_BYTES || length > 2n ** 62n ? undefined : Number(length) - WAVE64_HEADER_BYTES;
  },
  writeLength(lengthBytes) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(lengthBytes + WAVE64_HEADER_BYTES));
    return bytes;
  },
  alignment: 8,
  metadata: names("list,bext,fact,junk,levl,summ,mark"),
};

/** @returns undefined if the file ends before the chunk's content, or its name is not printable */
export function chunkAt(file: FileBytes, at: number, grammar: ChunkGrammar): Chunk | undefined {
  const header = file.read(at, grammar.headerBytes);
  if (header.length < grammar.headerBytes) return undefined;
  const name = header.toString("latin1", 0, 4);
  if (!/^[ -~]{4}$/.test(name)) return undefined;
  const contentBytes = at + grammar.headerBytes;
  const lengthBytes = grammar.readLength(header) ?? Number.POSITIVE_INFINITY;
  const padded = Math.ceil(lengthBytes / grammar.alignment) * grammar.alignment;
  return { name, contentBytes, lengthBytes, nextBytes: contentBytes + padded };
}
