// Texts in headers of answers to an upgrade.

const LONGEST_CHARACTERS = 1_000;

/** Headers are limited to ASCII, and a text of the client may be part of them. */
export const headerText = (text: string) => text.replace(/[^\x20-\x7e]/g, "?").slice(0, LONGEST_CHARACTERS);
