/** Adds tests, each a line "file: title", to the list that REPEATED_TESTS names. */
export function addRepeated(tests: readonly string[], list?: string): void;
