// What the arguments of `parlance transcribe` name: files, folders, patterns, addresses and standard input. Everything
// that can be checked without a model is checked here, before one is loaded.
import { stat } from "node:fs/promises";
import { FetchAddress } from "../platform/addresses/fetch-address.ts";
import { CUT_CREDENTIALS, hasCutCredentials, isAddress } from "../platform/addresses/web-url.ts";
import { expandPattern, isPattern } from "./file-pattern.ts";
import { type LeftOut, type Recordings, recordingsAmong, recordingsIn } from "./recordings-in.ts";
import { PIPE } from "./transcriber.ts";

export interface Source {
  source: string;
  /** Folder in which it was found. */
  root?: string;
  /** Whether it was found in a folder or by a pattern. */
  isFound: boolean;
}

/** Reason of a folder without recordings. */
export const NO_RECORDINGS = "there are no recordings in it";

export interface Sources {
  sources: Source[];
  leftOut: LeftOut[];
}

const found = (file: string) => stat(file).catch(() => undefined);

export const isFolder = async (source: string) =>
  !isAddress(source) && source !== PIPE && (await found(source))?.isDirectory() === true;

function recordings({ files, leftOut }: Recordings, root?: string): Sources {
  const sources = files.map((source) => ({ source, isFound: true, ...(root === undefined ? {} : { root }) }));
  return { sources, leftOut };
}

const missing = (file: string, reason: string): Sources => ({
  sources: [],
  leftOut: [{ file, reason, isFailure: true }],
});

async function namedBy(argument: string): Promise<Sources> {
  if (isAddress(argument) && hasCutCredentials(argument))
    return missing(FetchAddress.of(argument).shown, `the address ${CUT_CREDENTIALS}`);
  if (argument === PIPE || isAddress(argument)) return { sources: [{ source: argument, isFound: false }], leftOut: [] };
  const item = await found(argument);
  if (item?.isDirectory()) {
    const inside = await recordingsIn(argument);
    const isEmpty = inside.files.length === 0 && !inside.leftOut.some(({ isFailure }) => isFailure);
    const none = isEmpty ? missing(argument, NO_RECORDINGS).leftOut : [];
    return recordings({ files: inside.files, leftOut: [...inside.leftOut, ...none] }, argument);
  }
  if (item?.isFile()) return { sources: [{ source: argument, isFound: false }], leftOut: [] };
  if (item) return missing(argument, "it is not a file");
  if (!isPattern(argument)) return missing(argument, `there is no file ${argument}`);
  const matching = await expandPattern(argument);
  if (matching.length === 0) return missing(argument, "there is no such file, and no file matches it as a pattern");
  return recordings(await recordingsAmong(matching));
}

/** @param given  the arguments, in order; a file that several of them name is taken once */
export async function namedSources(given: readonly string[]): Promise<Sources> {
  const sources = new Map<string, Source>();
  const leftOut: LeftOut[] = [];
  for (const argument of given) {
    const named = await namedBy(argument);
    for (const one of named.sources) if (!sources.has(one.source)) sources.set(one.source, one);
    leftOut.push(...named.leftOut);
  }
  return { sources: [...sources.values()], leftOut };
}
