// What a command does when the reader of its output has closed the pipe, as `parlance jobs list | head` does.

/** Commands that only print, so that no work is left when their reader closes the pipe. An assistant ends `mcp` by closing it. */
const PRINTING: ReadonlySet<string> = new Set(["complete", "doctor", "mcp", "help", "--help", "-h", "--version", "-V"]);
const GROUPS: ReadonlySet<string> = new Set(["jobs", "models", "keys", "accounts", "voices"]);
const PRINTING_BELOW: ReadonlySet<string> = new Set(["list", "show", "transcript"]);
/** Of any command. */
const PRINTING_OPTIONS: ReadonlySet<string> = new Set(["--help", "-h", "--status", "--print"]);
/** As shells report a process that SIGPIPE ended. */
const BROKEN_PIPE = 141;

/** @param words  of the command line, from the name of the command on @returns exit status */
export function statusWithoutReader(words: readonly string[]): number {
  const [command = "help", below = ""] = words;
  const isList = GROUPS.has(command) && PRINTING_BELOW.has(below);
  const isPrinted = words.some((word) => PRINTING_OPTIONS.has(word));
  return PRINTING.has(command) || isList || isPrinted ? 0 : BROKEN_PIPE;
}
