// Escapes what commands print. Names of keys and recordings, and texts of other services, are untrusted: control characters in them
// could move the cursor, hide lines or change the terminal. `guardTerminal` escapes all output of the command line; a command writes its
// own control sequences with `writeControl`.

import { StringDecoder } from "node:string_decoder";

/** C0 and C1 controls, but for line feed, tab and a line end; and characters that change the direction of the text behind them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
const CONTROLS = /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Control characters become escapes, which JSON reads as the same text: \u001b. */
export const printable = (text: string) =>
  text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Clears the line. */
export const CLEAR = "\r\x1b[K";
export const FAINT = "\x1b[2m";
export const PLAIN = "\x1b[0m";

type Stream = Pick<NodeJS.WriteStream, "write"> & { isTTY?: boolean };

const unguarded = new WeakMap<Stream, Stream["write"]>();

/** Bytes that are written in pieces, as one text: a character or a line end may be divided. */
class PrintedBytes {
  private readonly decoder = new StringDecoder("utf8");
  /** A carriage return, which may be that of a line end. */
  private open = "";

  next(bytes: Uint8Array): string {
    const text = this.open + this.decoder.write(bytes);
    this.open = text.endsWith("\r") ? "\r" : "";
    return printable(text.slice(0, text.length - this.open.length));
  }

  /** What was held back; a character without its end is replaced. */
  rest(): string {
    const text = this.open + this.decoder.end();
    this.open = "";
    return printable(text);
  }
}

/**
 * Makes everything printable that is written to the stream from now on. Bytes (the content of files) are changed only on a terminal.
 * @returns a function that writes the bytes held back; call it when the process ends
 */
export function guardTerminal(stream: Stream): () => void {
  if (unguarded.has(stream)) return () => undefined;
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  const bytes = new PrintedBytes();
  unguarded.set(stream, write as Stream["write"]);
  const shown = (chunk: unknown) => {
    if (typeof chunk === "string") return bytes.rest() + printable(chunk);
    return stream.isTTY ? bytes.next(chunk as Uint8Array) : chunk;
  };
  stream.write = ((chunk: unknown, ...rest: unknown[]) => write(shown(chunk), ...rest)) as Stream["write"];
  return () => {
    const rest = bytes.rest();
    if (rest !== "") write(rest);
  };
}

/** Writes content such as a transcript: unchanged to a file or a pipe, and printable to a terminal. */
export function writeContent(stream: Stream, content: string | Uint8Array): void {
  stream.write(typeof content === "string" ? Buffer.from(content) : content);
}

/** @param sequence  of the command itself, without untrusted text */
export function writeControl(stream: Stream, sequence: string): void {
  (unguarded.get(stream) ?? stream.write.bind(stream))(sequence);
}
