// Words as the number grammars read them: pieces in small letters, without the marks at their edges.
import { milliseconds, type Word } from "../../../contract/transcript/transcript.ts";

export interface Piece {
  /** Small letters, no marks at its ends. */
  text: string;
  /** As recognised. */
  raw: string;
  /** Index of its word. */
  word: number;
  /** What stands between it and the next piece but for the space: "" inside a phrase, "-" inside a word, else marks. */
  mark: string;
  /** A quotation mark or bracket opens before it. */
  isOpened: boolean;
  /** The recogniser joined it to the word before without a space. */
  isGlued: boolean;
}

/** Pieces [from, to) are written as `text`. */
export interface Edit {
  from: number;
  to: number;
  text: string;
  /** The marks behind the last piece are dropped: the recogniser put a comma inside of a number or between it and its unit. */
  dropsMark?: boolean;
  /** The text consists of several spoken words. */
  isSpoken?: boolean;
}

const EDGES = /^\s*(["'“‘«([{¿¡]*)(.*?)([.,;:!?…"'”’»)\]}]*)$/su;
const ABBREVIATION = /^\p{L}(?:\.\p{L})+\.$/u;

interface Edged {
  lead: string;
  core: string;
  trail: string;
}

function edged(word: string): Edged {
  const [, lead = "", core = "", trail = ""] = EDGES.exec(word) ?? [];
  // The last full stop of "p.m." belongs to it.
  if (trail.startsWith(".") && ABBREVIATION.test(`${core}.`)) {
    return { lead, core: `${core}.`, trail: trail.slice(1) };
  }
  return { lead, core, trail };
}

export function piecesOf(words: readonly string[]): Piece[] {
  return words.flatMap((word, at) => {
    const { lead, core, trail } = edged(word);
    const parts = /^\p{L}[\p{L}\p{M}'’]*(?:-\p{L}[\p{L}\p{M}'’]*)+$/u.test(core) ? core.split("-") : [core];
    return parts.map((raw, index) => ({
      text: raw.toLowerCase().replaceAll("’", "'"),
      raw,
      word: at,
      mark: index < parts.length - 1 ? "-" : trail,
      isOpened: index === 0 && lead !== "",
      isGlued: index === 0 && at > 0 && !/^\s/.test(word),
    }));
  });
}

/** Whether two neighbouring pieces are one phrase: no mark parts them. */
export function isJoined(pieces: readonly Piece[], at: number): boolean {
  const [piece, next] = [pieces[at], pieces[at + 1]];
  if (!piece || !next || next.isOpened || next.isGlued) return false;
  return piece.mark === "" || piece.mark === "-";
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function mergedWord(words: readonly Word[], pieces: readonly Piece[], { from, to, text, dropsMark }: Edit): Word {
  const [first, last] = [pieces[from] as Piece, pieces[to - 1] as Piece];
  const [begun, ended] = [words[first.word] as Word, words[last.word] as Word];
  const space = /^\s*/.exec(begun.word)?.[0] ?? "";
  const { lead } = edged(begun.word);
  const { trail } = edged(ended.word);
  let [start, end] = [from, to];
  while (pieces[start - 1]?.word === first.word) start--;
  while (pieces[end]?.word === last.word) end++;
  const before = pieces.slice(start, from);
  const after = pieces.slice(to, end);
  const prefix = before.map(({ raw }) => `${raw}-`).join("");
  const suffix = after.map(({ raw }) => `-${raw}`).join("");
  const marks = dropsMark && suffix === "" ? trail.replace(/^,/, "") : trail;
  // "PM." becomes "p.m.", whose full stop ends the sentence, too.
  const kept = suffix === "" && text.endsWith(".") && marks.startsWith(".") ? marks.slice(1) : marks;
  return {
    ...begun,
    word: `${space}${lead}${prefix}${text}${suffix}${kept}`,
    end: ended.end,
    confidence:
      Math.round(mean(words.slice(first.word, last.word + 1).map(({ confidence }) => confidence)) * 1000) / 1000,
  };
}

/** A word whose text is several words as that many, each with a share of its time by its length. */
function spread(word: Word): Word[] {
  const texts = word.word.match(/(?<!\s)\s*\S+/gu) ?? [word.word];
  const letters = texts.reduce((sum, text) => sum + text.trim().length, 0);
  let [done, start] = [0, word.start];
  return texts.map((text, at) => {
    done += text.trim().length;
    const end =
      at === texts.length - 1 ? word.end : milliseconds(word.start + ((word.end - word.start) * done) / letters);
    const own = { ...word, word: text, start, end };
    start = end;
    return own;
  });
}

/** @param edits  in order, none over another, no two of them in one word */
export function edit(words: readonly Word[], pieces: readonly Piece[], edits: readonly Edit[]): Word[] {
  const written: Word[] = [];
  let done = 0;
  for (const one of edits) {
    const [first, last] = [(pieces[one.from] as Piece).word, (pieces[one.to - 1] as Piece).word];
    if (first < done) continue;
    const merged = mergedWord(words, pieces, one);
    written.push(...words.slice(done, first), ...(one.isSpoken ? spread(merged) : [merged]));
    done = last + 1;
  }
  return [...written, ...words.slice(done)];
}
