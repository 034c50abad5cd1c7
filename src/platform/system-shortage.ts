// Errors of the operating system that pass by themselves: no room on a disk, no descriptors, no memory, no processes. Whatever meets
// one may try again later; accepted work must not fail because of one.

/** Room: on the disk or in its table of files (inodes), or of the account's share of either. */
const ROOM = new Set(["ENOSPC", "EDQUOT", "53100"]);
/**
 * Descriptors of the process or of the machine, memory, processes. As codes of the system, and as PostgreSQL's: insufficient resources,
 * out of memory.
 */
const RESOURCES = new Set(["EMFILE", "ENFILE", "ENOMEM", "53000", "53200"]);
/** Elsewhere this code is part of ordinary work with sockets. */
const NO_PROCESS = "EAGAIN";

/** Libraries that are not Node's have the system's text alone, or its number on Linux. */
const ROOM_TEXT = /no space left on device|disk quota exceeded|system error number (28|122)\b/i;
const RESOURCES_TEXT = /too many open files|cannot allocate memory|system error number (12|23|24)\b/i;
/** Node's, for a thread that cannot be started. */
const NO_THREAD = /^(?:Worker initialization failure: )?E(?:AGAIN|MFILE|NFILE|NOMEM)$/;

export type Shortage = "room" | "resources";

/** The shortage that an error or one of its causes reports; undefined for any other error. */
export function shortageOf(thrown: unknown): Shortage | undefined {
  if (typeof thrown !== "object" || thrown === null) return undefined;
  const {
    code = "",
    syscall = "",
    message = "",
    cause,
    errors,
  } = thrown as {
    code?: unknown;
    syscall?: unknown;
    message?: string;
    cause?: unknown;
    errors?: unknown[];
  };
  const name = String(code);
  if (ROOM.has(name) || ROOM_TEXT.test(message)) return "room";
  if (RESOURCES.has(name) || RESOURCES_TEXT.test(message) || NO_THREAD.test(message)) return "resources";
  if (name === NO_PROCESS && String(syscall).startsWith("spawn")) return "resources";
  // A name with several addresses fails once for each.
  return shortageOf(cause) ?? errors?.map(shortageOf).find((found) => found !== undefined);
}

/** For `catch`: a value in place of content that cannot be read. A shortage is rethrown, because it does not mean that the content is missing. */
export const unlessShort =
  <Value>(value: Value) =>
  (thrown: unknown): Value => {
    if (shortageOf(thrown)) throw thrown;
    return value;
  };
