// Search over the pages of the documentation: every word of the query must be in a section. Each query reads every text once, and its words are
// bounded, so that its time does not depend on what is searched.
import { Marked, type Token, type Tokens } from "marked";
import { firstOf } from "../../contract/first-of.ts";
import { normalized } from "../../contract/normalized.ts";
import { PAGES } from "./page-list.ts";
import { anchorOf, escaped, frame, PREFIX_MARK } from "./render.ts";

const MOST_WORDS = 8;
const MOST_RESULTS = 30;
/** Characters of an excerpt before and after the word. */
const BEFORE = 60;
const AFTER = 140;
const HEADING_WEIGHT = 10;
const PAGE_WEIGHT = 5;
/** Further places of a word say no more about a section. */
const MOST_COUNTED = 5;

interface Section {
  page: string;
  pageTitle: string;
  title: string;
  anchor: string;
  text: string;
  /** Without case and accents. */
  folded: { title: string; text: string; pageTitle: string };
}

/** The folded text has the length of the text: places in one are places in the other. */
const fold = (text: string) =>
  [...text]
    .map((sign) => {
      const plain = normalized(sign, "NFD").replace(/\p{M}/gu, "").toLowerCase();
      return plain.length === sign.length ? plain : sign;
    })
    .join("");

/** Words of a token, without markup. */
function plainText(token: Token): string {
  switch (token.type) {
    case "table": {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].map((cells) => cells.map(({ tokens }) => textOf(tokens)).join(" ")).join(" ");
    }
    case "list":
      return textOf((token as Tokens.List).items);
    case "image":
      return "";
    default: {
      const { tokens, text } = token as Tokens.Generic;
      if (tokens) return textOf(tokens);
      return typeof text === "string" ? text : " ";
    }
  }
}

const BLOCKS = new Set(["paragraph", "list", "list_item", "table", "code", "heading", "blockquote", "text"]);

function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => plainText(token) + (BLOCKS.has(token.type) && token.type !== "text" ? " " : ""))
    .join("");
}

/** @param text  Markdown of a page */
export function sectionsOf(page: string, text: string): Section[] {
  const sections: { title: string; anchor: string; texts: string[] }[] = [];
  for (const token of new Marked().lexer(text)) {
    if (token.type === "heading") {
      const title = textOf((token as Tokens.Heading).tokens).trim();
      // The title of the page is at its beginning.
      sections.push({ title, anchor: sections.length === 0 ? "" : anchorOf(escaped(title)), texts: [] });
    } else sections.at(-1)?.texts.push(plainText(token));
  }
  const pageTitle = sections[0]?.title ?? page;
  return sections.map(({ title, anchor, texts }) => {
    const whole = texts.join(" ").replace(/\s+/g, " ").trim();
    const folded = { title: fold(title), text: fold(whole), pageTitle: fold(pageTitle) };
    return { page, pageTitle, title, anchor, text: whole, folded };
  });
}

/** The words that are searched, and how many further ones the query has. */
export const wordsOf = (query: string) => firstOf(fold(query).match(/[\p{L}\p{N}_./-]+/gu) ?? [], MOST_WORDS);

function countOf(text: string, word: string): number {
  let count = 0;
  for (let at = text.indexOf(word); at >= 0 && count < MOST_COUNTED; at = text.indexOf(word, at + word.length)) count++;
  return count;
}

/** 0 where a word is missing. */
function weightOf({ folded: { title, text, pageTitle } }: Section, words: readonly string[]): number {
  let sum = 0;
  for (const word of words) {
    const inHeading = (title.includes(word) ? HEADING_WEIGHT : 0) + (pageTitle.includes(word) ? PAGE_WEIGHT : 0);
    const weight = inHeading + countOf(text, word);
    if (weight === 0) return 0;
    sum += weight;
  }
  return sum;
}

/** @returns sections with every word, the fittest first; those of equal weight in the order of the pages */
export function search(sections: readonly Section[], query: string): Section[] {
  const { first: words } = wordsOf(query);
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, weight: weightOf(section, words) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((left, right) => right.weight - left.weight)
    .map(({ section }) => section);
}

/** The text around the first word, as HTML. */
function excerptOf({ text, folded }: Section, words: readonly string[]): string {
  const found = words
    .map((word) => ({ at: folded.text.indexOf(word), length: word.length }))
    .filter(({ at }) => at >= 0);
  const first = found.toSorted((left, right) => left.at - right.at)[0] ?? { at: 0, length: 0 };
  const from = Math.max(0, first.at - BEFORE);
  const to = Math.min(text.length, first.at + first.length + AFTER);
  const part = (start: number, end: number) => escaped(text.slice(start, end));
  const end = first.at + first.length;
  const marked = first.length === 0 ? "" : `<mark>${part(first.at, end)}</mark>`;
  return `${from > 0 ? "…" : ""}${part(from, first.at)}${marked}${part(end, to)}${to < text.length ? "…" : ""}`;
}

/** @param rest  sections that are not shown @returns HTML */
function statusOf(count: number, rest: number, words: readonly string[]): string {
  if (words.length === 0) return "Type one or more words. A section is found if it has all of them.";
  if (count === 0) return `No section has all of these words: ${escaped(words.join(", "))}. Try fewer words.`;
  const sections = count === 1 ? "1 section." : `${count} sections.`;
  return rest > 0 ? `${sections} The last ${rest} are not shown: add a word to find fewer.` : sections;
}

/** The answer as a page. */
export function searchPage(sections: readonly Section[], query: string): string {
  const found = search(sections, query);
  const { first: words, rest: ignored } = wordsOf(query);
  const { first: shown, rest } = firstOf(found, MOST_RESULTS);
  const items = shown.map((section) => {
    const { page, pageTitle, title, anchor } = section;
    const address = `${PREFIX_MARK}/docs/${page}${anchor === "" ? "" : `#${encodeURIComponent(anchor)}`}`;
    const name = anchor === "" ? pageTitle : `${pageTitle}: ${title}`;
    return `<li><a href="${escaped(address)}">${escaped(name)}</a><p>${excerptOf(section, words)}</p></li>`;
  });
  const status = [statusOf(found.length, rest, words), ignored > 0 ? `Only the first ${MOST_WORDS} words count.` : ""];
  const main = `<h1>Search</h1><p role="status">${status.join(" ")}</p><ol class="results">${items.join("")}</ol>`;
  return frame({ title: query === "" ? "Search" : `Search: ${query}`, current: "", main, query });
}

/** Sections of all pages. @param read  returns the Markdown of a page */
export async function searchIndex(read: (page: string) => Promise<string>): Promise<Section[]> {
  const all = await Promise.all(PAGES.map(async ([page]) => sectionsOf(page, await read(page))));
  return all.flat();
}
