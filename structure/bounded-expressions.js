// Regular expressions that take more than linear time, or that are made at run time, with the longest text that they are given.
// `part` is a part of the expression; `characters` is checked by structure/expressions.js where the expression is known.
const ADDONS = "add-ons run in a process of their own, with a time limit; the text is one utterance";
const AT_RUN_TIME = { characters: 0 };

export const BOUNDED = [
  {
    file: "src/platform/addresses/postgres-address.ts",
    part: "(.*&)?",
    characters: 1_000,
    why: "a setting of the operator",
  },
  { file: "src/api/docs/render.ts", part: "&#?[a-z0-9]+;", characters: 500, why: "a heading of our documentation" },
  { file: "src/service/intelligence/entities.ts", part: "(?:\\d[\\d,.]*|(?:a|", characters: 1_000, why: ADDONS },
  {
    file: "src/service/intelligence/entities.ts",
    part: "$€£+",
    characters: 1_000,
    why: `${ADDONS}, and the text one entity of it`,
  },
  { file: "src/service/intelligence/identifier-forms.ts", part: "underscore", characters: 500, why: ADDONS },
  { file: "src/service/intelligence/identifier-forms.ts", part: "www", characters: 1_000, why: ADDONS },
  {
    file: "src/service/intelligence/profanity.ts",
    part: "cumin",
    characters: 1_000,
    why: `${ADDONS}; in live sessions, one of at most 60 s of speech`,
  },
  { file: "src/speech/text/numerals/english-numbers.ts", part: "\\d{3}", characters: 30, why: "a number" },
  {
    file: "src/speech/text/numerals/pieces.ts",
    part: "(.*?)",
    characters: 1_000,
    why: "a word of the recogniser, at most 30 s of speech",
  },
  { ...AT_RUN_TIME, file: "console/src/address.ts", part: "prefix", why: "linear; the prefix is a literal, once" },
  {
    ...AT_RUN_TIME,
    file: "src/service/intelligence/question-forms.ts",
    part: "form",
    why: "alternatives of literals at the beginning; the text has at most 16 words",
  },
  {
    ...AT_RUN_TIME,
    file: "console/src/pages/recording-row.tsx",
    part: "words",
    why: "alternatives of literals, in the user's browser",
  },
  {
    ...AT_RUN_TIME,
    file: "console/src/transcript/find-text.ts",
    part: "words",
    why: "alternatives of literals, in the user's browser",
  },
  {
    ...AT_RUN_TIME,
    file: "console/src/transcript/find-text.ts",
    part: "parts",
    why: "literals with white space between them, in the user's browser; words of a transcript have one space between them",
  },
  {
    ...AT_RUN_TIME,
    file: "src/speech/audio/decode/comparison-answer.ts",
    part: "STRETCH_WINDOWS",
    why: "anchored, of one length",
  },
  {
    ...AT_RUN_TIME,
    file: "src/platform/config/container-limits.ts",
    part: "files.inactive",
    why: "a name at the start of a line of the kernel",
  },
  {
    ...AT_RUN_TIME,
    file: "src/service/intelligence/identifiers.ts",
    part: "characters - 1",
    why: "anchored, at most 34 characters",
  },
];
