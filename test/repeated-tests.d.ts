/** Path of the files that failed in the last run: a JSON object of paths, each with the titles of its failed tests. */
export const FAILED_FILES: string;

/** Adds tests, each a line "file: title", to the list that REPEATED_TESTS names. */
export function addRepeated(tests: readonly string[], list?: string): void;
