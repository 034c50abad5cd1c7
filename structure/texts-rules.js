// What structure/texts.js takes for a text that a person sees, and what it allows outside the tables of languages.

/** Attributes that a browser shows, or gives to screen readers. */
export const SEEN_ATTRIBUTES = [
  "title",
  "alt",
  "placeholder",
  "label",
  "aria-label",
  "aria-description",
  "aria-placeholder",
  "aria-roledescription",
  "aria-valuetext",
];
/** Those of the console's components. */
export const SEEN_PROPERTIES = [...SEEN_ATTRIBUTES, "name", "text", "what", "hint"];

/** Functions that show their arguments. */
export const SHOWING_CALLS = [
  "notice",
  "confirm",
  "alert",
  "prompt",
  "attempt",
  "copy",
  "useTitle",
  "setCustomValidity",
  "Error",
  "ApiError",
];
/** Functions whose arguments are for programs. */
export const TECHNICAL_CALLS = [
  "DOMException",
  "matchMedia",
  "closest",
  "matches",
  "querySelector",
  "querySelectorAll",
];
/** Properties that are shown when they are set. */
export const SHOWN_PROPERTIES = ["title", "textContent", "innerText", "placeholder", "ariaLabel", "alt"];

/** Elements whose text is for programs. */
export const CODE_ELEMENTS = ["code"];

/**
 * Texts that need no translation, in a file or, without `file`, in every file. The text "*" is every text of the file; with `isCode`,
 * those that a person sees are still reported.
 */
export const ALLOWED = [
  { text: "Parlance", why: "the name of the product" },
  { text: "JavaScript", file: "console/src/parts/snippets.tsx", why: "the name of a language" },
  { text: "curl", file: "console/src/parts/snippets.tsx", why: "the name of a program" },
  { text: "*", file: "console/src/parts/snippets.tsx", why: "programs", isCode: true },
  {
    text: "Parlance could not be loaded. Check the connection, and reload the page.",
    file: "console/src/main.tsx",
    why: "shown where no table can be loaded",
  },
  { text: "no language is loaded yet", file: "console/src/language/language.ts", why: "for programmers" },
  { text: "*", file: "console/src/language/languages.ts", why: "languages have their own names in every language" },
  { text: "*", file: "console/src/transcript/use-keys.ts", why: "selectors", isCode: true },
  { text: "*", file: "console/src/transcript/keys.ts", why: "names of keys in the browser's events", isCode: true },
];

/** Parts of selectors in which positions are distances from the left: time runs from left to right in every language. */
export const LEFT_TO_RIGHT = [".timeline", ".playhead", ".cue-edge"];
