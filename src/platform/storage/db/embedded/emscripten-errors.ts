// Errors of Emscripten's file system, on which PGlite runs, as Node reports the same errors.

/** Emscripten's numbers of errors, which are those of WASI, by name. */
const NAMES: Readonly<Record<number, string>> = {
  2: "EACCES",
  19: "EDQUOT",
  29: "EIO",
  33: "EMFILE",
  41: "ENFILE",
  44: "ENOENT",
  48: "ENOMEM",
  51: "ENOSPC",
  54: "ENOTDIR",
  63: "EPERM",
  69: "EROFS",
};

/** @returns an Error with the `code` of the system where `thrown` is an error of Emscripten's file system, else `thrown` */
export function asSystemError(thrown: unknown): Error {
  const { name, errno } = (thrown ?? {}) as { name?: string; errno?: number };
  if (name === "ErrnoError" && errno !== undefined) {
    const code = NAMES[errno] ?? `Emscripten error ${errno}`;
    return Object.assign(new Error(`${code} in a file of the embedded database`), { code });
  }
  return thrown instanceof Error ? thrown : new Error(JSON.stringify(thrown));
}
