// Escapes what commands print. Names of keys and recordings, and texts of other services, are untrusted: control characters in them
// could move the cursor, hide lines or change the terminal. `guardTerminal` escapes all output of the command line; a command writes its
// own control sequences with `writeControl`.

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

/** Makes everything printable that is written to the stream from now on. Bytes (the content of files) are changed only on a terminal. */
export function guardTerminal(stream: Stream): void {
  if (unguarded.has(stream)) return;
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  unguarded.set(stream, write as Stream["write"]);
  const shown = (chunk: unknown) => {
    if (typeof chunk === "string") return printable(chunk);
    return stream.isTTY ? printable(Buffer.from(chunk as Uint8Array).toString("utf8")) : chunk;
  };
  stream.write = ((chunk: unknown, ...rest: unknown[]) => write(shown(chunk), ...rest)) as Stream["write"];
}

/** @param sequence  of the command itself, without untrusted text */
export function writeControl(stream: Stream, sequence: string): void {
  (unguarded.get(stream) ?? stream.write.bind(stream))(sequence);
}
