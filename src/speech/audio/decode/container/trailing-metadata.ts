// What follows the samples of a file: chunks and tags that hold no sound. Where a header does not say how long the samples
// are, they are found from the end of the file. All work is linear in the bytes that are searched.
import { listed } from "../../../../contract/first-of.ts";
import { ID3_HEADER_BYTES, id3Length } from "../../container-format.ts";
import type { Steps } from "../../steps.ts";
import { type ChunkGrammar, chunkAt } from "./chunk-grammar.ts";
import type { FileBytes } from "./file-bytes.ts";

const SEARCHED_BYTES = 16 * 2 ** 20;
const MOST_CHUNKS = 1_024;
/** Of each chunk, the search keeps whether a name stands there, and whether chunks lead from there to the end. */
const IS_NAME = 1;
const LEADS_TO_END = 2;
/** Some writers omit the padding of the last chunk, others write a byte more. */
const PADDING_BYTES = 1;

const ID3_BYTES = 128;
const APE_FOOTER_BYTES = 32;
const APE_LENGTH_AT = 12;

const LYRICS_END = /^(\d{6})LYRICS200$/;
const LYRICS_END_BYTES = 15;
const LYRICS_BEGIN = "LYRICSBEGIN";
/** Of one kind each, with room for some twice. */
const MOST_TAGS = 8;

const textAt = (file: FileBytes, at: number, length: number) => file.read(at, length).toString("latin1");

/** @returns length of the tag that ends at `end`; 0 if there is none */
function tagLength(file: FileBytes, end: number): number {
  if (textAt(file, end - ID3_BYTES, 3) === "TAG") return ID3_BYTES;
  const footer = file.read(end - APE_FOOTER_BYTES, APE_FOOTER_BYTES);
  if (footer.toString("latin1", 0, 8) === "APETAGEX" && footer.length === APE_FOOTER_BYTES) {
    const hasHeader = footer.readUInt32LE(20) >= 2 ** 31;
    return footer.readUInt32LE(APE_LENGTH_AT) + (hasHeader ? APE_FOOTER_BYTES : 0);
  }
  const lyricsBytes = LYRICS_END.exec(textAt(file, end - LYRICS_END_BYTES, LYRICS_END_BYTES))?.[1];
  if (lyricsBytes !== undefined) {
    const length = Number(lyricsBytes) + LYRICS_END_BYTES;
    return textAt(file, end - length, LYRICS_BEGIN.length) === LYRICS_BEGIN ? length : 0;
  }
  // The footer of ID3v2.4 repeats its header.
  const id3 = file.read(end - ID3_HEADER_BYTES, ID3_HEADER_BYTES);
  if (id3.toString("latin1", 0, 3) !== "3DI" || id3.length < ID3_HEADER_BYTES) return 0;
  return textAt(file, end - id3Length(id3), 3) === "ID3" ? id3Length(id3) : 0;
}

/** @returns where the tags begin that stand at the end of many kinds of files (ID3, APEv2, Lyrics3); `end` if there are none */
export function tagsBefore(file: FileBytes, end: number): number {
  let from = end;
  for (let count = 0; count < MOST_TAGS; count++) {
    const length = tagLength(file, from);
    if (length <= 0 || length > from) break;
    from -= length;
  }
  return from;
}

/** @returns end of the metadata that begins at `from`; `from` if there is none */
export function metadataAfter(file: FileBytes, from: number, grammar: ChunkGrammar | undefined): number {
  const end = tagsBefore(file, file.sizeBytes);
  let at = from;
  for (let count = 0; count < MOST_CHUNKS && at < end; count++) {
    const begin = file.read(at, ID3_HEADER_BYTES);
    const isTag =
      begin.length === ID3_HEADER_BYTES && begin.toString("latin1", 0, 3) === "ID3" && (begin[3] as number) < 5;
    const chunk = grammar && chunkAt(file, at, grammar);
    if (chunk && grammar?.metadata.includes(chunk.name)) at = Math.min(chunk.nextBytes, file.sizeBytes);
    else if (isTag) at = Math.min(at + id3Length(begin), file.sizeBytes);
    else break;
  }
  return at >= end - PADDING_BYTES ? file.sizeBytes : at;
}

const MOST_NAMES = 3;

/** @returns "chunks of unknown kinds (abcd)" if chunks of any names lead from `from` to the end; otherwise undefined */
export function unknownChunks(file: FileBytes, from: number, grammar: ChunkGrammar): string | undefined {
  const names = new Set<string>();
  let at = from;
  for (let count = 0; count < MOST_CHUNKS && at < file.sizeBytes; count++) {
    const chunk = chunkAt(file, at, grammar);
    if (!chunk) return undefined;
    names.add(chunk.name);
    at = chunk.nextBytes;
  }
  if (at < file.sizeBytes || at > file.sizeBytes + PADDING_BYTES) return undefined;
  return `chunks of unknown kinds (${listed([...names], MOST_NAMES)})`;
}

/**
 * @param from  first byte of the samples
 * @returns first byte of the metadata at the end of the file; the file's size if there is none
 */
export function* metadataBefore(file: FileBytes, from: number, grammar: ChunkGrammar | undefined): Steps<number> {
  const end = Math.max(from, tagsBefore(file, file.sizeBytes));
  if (!grammar) return end;
  const start = Math.max(from, end - SEARCHED_BYTES);
  const bytes = file.read(start, end - start);
  const marks = new Uint8Array(bytes.length);
  for (const name of grammar.metadata) {
    const pattern = Buffer.from(name, "latin1");
    for (let at = bytes.indexOf(pattern); at >= 0; at = bytes.indexOf(pattern, at + 1)) marks[at] = IS_NAME;
    yield 0;
  }
  let first = bytes.length;
  for (let at = bytes.length - grammar.headerBytes; at >= 0; at--) {
    if (marks[at] !== IS_NAME) continue;
    const length: number | undefined = grammar.readLength(bytes.subarray(at, at + grammar.headerBytes));
    if (length === undefined) continue;
    const content: number = at + grammar.headerBytes;
    const next: number = content + Math.ceil(length / grammar.alignment) * grammar.alignment;
    const isLast = Math.abs(content + length - bytes.length) <= PADDING_BYTES;
    if (!isLast && marks[next] !== LEADS_TO_END) continue;
    marks[at] = LEADS_TO_END;
    first = at;
  }
  return first === bytes.length ? end : start + first;
}
