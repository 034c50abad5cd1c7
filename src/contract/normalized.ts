// Unicode normalization in time that is linear in the text. Normalization sorts the marks behind a letter, in time that grows with the
// square of their number: 20,000 of them take a second.

/** As in the stream-safe format of Unicode (UAX 15): no language writes more marks behind a letter. */
const MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

/** Normalizes a text. Of marks behind one letter, the first 30 are kept. */
export const normalized = (text: string, form: "NFC" | "NFD" | "NFKC"): string =>
  text.replace(MANY_MARKS, "$1").normalize(form);
