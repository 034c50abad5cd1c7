/** No such file, or a file is in the place of one of its folders. */
export const isAbsent = (error: unknown) =>
  ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException | undefined)?.code ?? "");
