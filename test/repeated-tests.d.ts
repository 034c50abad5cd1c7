/** Path of the files that failed in the last run: a JSON object of paths, each with the titles and errors of its failed tests. */
export const FAILED_FILES: string;

/** Adds tests, each "file: title" and its first error, to the list that REPEATED_TESTS names. */
export function addRepeated(tests: readonly (readonly string[])[], list?: string): void;
