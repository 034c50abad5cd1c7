// The name of a recording, for its outputs and for the terminal. The query of an address may contain a signature or a token, and is no part of it.
import path from "node:path";
import { isAddress, parseUrl } from "../platform/addresses/web-url.ts";
import { PIPE } from "./transcriber.ts";

/** For standard input and for addresses that end in a slash. */
const UNNAMED = "recording";

export interface SourceName {
  /** Folder of a file; the current one for other sources. */
  dir: string;
  /** With the extension. */
  base: string;
  name: string;
}

export function nameOf(source: string): SourceName {
  if (source !== PIPE && !isAddress(source)) return path.parse(source);
  const { base, name } = path.posix.parse(parseUrl(source)?.pathname ?? "");
  return name === "" ? { dir: ".", base: UNNAMED, name: UNNAMED } : { dir: ".", base, name };
}
