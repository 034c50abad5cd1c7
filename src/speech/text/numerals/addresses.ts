// Writes spoken e-mail and web addresses ("john dot doe at example dot com").
import { isCardinalWord } from "./english-numbers.ts";
import type { Edit, Piece } from "./pieces.ts";
import { isJoined } from "./pieces.ts";

const TOP_LEVEL =
  /^(?:com|org|net|edu|gov|io|co|uk|de|fr|es|it|nl|pt|eu|at|ch|be|ai|dev|app|info|me|ca|us|au|br|tv|biz)$/;
/** Words for the dot of an address. English and German ones are said in other languages, too. */
const DOT = /^(?:dot|punkt|point|punto|ponto|punt)$/;
const DOTS: Readonly<Record<string, RegExp>> = {
  en: /^dot$/,
  de: /^(?:punkt|dot)$/,
  fr: /^(?:point|dot)$/,
  es: /^(?:punto|dot)$/,
  pt: /^(?:ponto|dot)$/,
  it: /^(?:punto|dot)$/,
  nl: /^(?:punt|dot)$/,
};
/** Top-level domains that are common words of the language: "el punto de partida", "put a dot at the corner". */
const WORDS_OF_LANGUAGE: Readonly<Record<string, RegExp>> = {
  en: /^(?:ai|at|be|it|me|us)$/,
  de: /^(?:at|es)$/,
  fr: /^(?:au|de|es|me|us)$/,
  es: /^(?:de|es|me)$/,
  pt: /^(?:com|de|es|me)$/,
  it: /^(?:ai|ca|me)$/,
  nl: /^(?:de|me)$/,
};
/** No name of a site: "the dot com boom", "am Punkt". */
const NOT_A_NAME =
  /^(?:.|the|an|this|that|each|every|my|your|his|her|its|our|their|some|any|no|at|in|on|to|of|der|die|das|den|dem|des|ein|eine|einem|einen|dieser|diesem|diesen|am|im|zum|beim|vom|bei|le|la|les|un|une|ce|au|du|mon|ton|son|el|los|las|este|ese|una|al|del|mi|tu|su|um|uma|este|esse|ao|do|meu|seu|il|lo|uno|questo|quel|dal|het|een|dit|dat|op|van|mijn)$/u;
/** Words that say that an address follows. */
const SITE_CUE =
  /^(?:www|web|website|webseite|webpage|site|page|url|domain|visit|online|internet|seite|sitio|sito|página)$/;
const AT = /^(?:at|ät|arobase|arroba|chiocciola|apenstaartje)$/;
const SIGNS: Readonly<Record<string, string>> = {
  underscore: "_",
  unterstrich: "_",
  dash: "-",
  hyphen: "-",
  bindestrich: "-",
  tiret: "-",
  guion: "-",
  trattino: "-",
};
const CUE = /^(?:e-?mails?|mails?|e|address|write|adresse|correo|courriel|indirizzo|endereço|adres)$/;
/** Before "at", these are verbs and the like: "look at example.com". */
const NOT_LOCAL =
  /^(?:look|looking|are|is|was|be|us|me|it|them|him|her|arrive|find|available|online|more|see|sign|shop|visit|order|up|page|website|site|out|also|here|only|just|and|or|the|support|information|team|people|store|address|works?|working|time|today|now)$/;
const CUE_PIECES = 7;
const WORD = /^[\p{L}\p{N}]+$/u;
const DOMAIN = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}$/u;

/** No address has more words; the bound makes the search linear in the text. */
const MOST_ADDRESS_PIECES = 24;

interface Part {
  to: number;
  text: string;
}

/** Words with signs between them: "john dot doe", "first underscore last". */
function signedWords(
  pieces: readonly Piece[],
  from: number,
  isSign: (word: string) => string | undefined,
): Part | undefined {
  const first = pieces[from];
  if (!first || !/^[\p{L}\p{N}._-]+$/u.test(first.text)) return undefined;
  let [to, text] = [from + 1, first.text];
  while (to < from + MOST_ADDRESS_PIECES && isJoined(pieces, to - 1) && isJoined(pieces, to)) {
    const sign = isSign(pieces[to]?.text ?? "");
    const next = pieces[to + 1];
    if (sign === undefined || !next || !WORD.test(next.text)) break;
    text += sign + next.text;
    to += 2;
  }
  return { to, text };
}

const signIn = (word: string, dot: RegExp) => (dot.test(word) ? "." : SIGNS[word]);

/** @param language  whose word for the dot is said */
function domainAt(pieces: readonly Piece[], from: number, language: string): Part | undefined {
  const found = signedWords(pieces, from, (word) => signIn(word, DOTS[language] ?? DOT));
  if (!found || !DOMAIN.test(found.text)) return undefined;
  const labels = found.text.split(".");
  const last = labels.at(-1) ?? "";
  if (!TOP_LEVEL.test(last)) return undefined;
  // Written with a dot by the recogniser.
  if (found.to === from + 1) return found;
  if (NOT_A_NAME.test(labels[0] ?? "")) return undefined;
  const isWord = labels.length === 2 && WORDS_OF_LANGUAGE[language]?.test(last) === true;
  return isWord && !hasSiteCue(pieces, from, found.to) ? undefined : found;
}

/** Whether a name and a word that is a top-level domain, too, are an address: "visit example dot me". */
function hasSiteCue(pieces: readonly Piece[], from: number, to: number): boolean {
  if (pieces[to]?.text === "slash" && isJoined(pieces, to - 1)) return true;
  if (isJoined(pieces, to - 1)) return false;
  const before = pieces.slice(Math.max(0, from - CUE_PIECES), from);
  return before.some(({ text }) => CUE.test(text) || SITE_CUE.test(text));
}

/** Pieces before `at` that can be the part of an address before its "@"; the longest. */
function localBefore(
  pieces: readonly Piece[],
  at: number,
  language: string,
): { from: number; text: string } | undefined {
  const start = pieces[at - 1];
  if (!start || !isJoined(pieces, at - 1) || !/^[\p{L}\p{N}._-]+$/u.test(start.text)) return undefined;
  let [from, text, isCompound] = [at - 1, start.text, /[._\d-]/.test(start.text)];
  while (from >= 2 && at - from < MOST_ADDRESS_PIECES && isJoined(pieces, from - 1) && isJoined(pieces, from - 2)) {
    const sign = signIn(pieces[from - 1]?.text ?? "", DOTS[language] ?? DOT);
    const before = pieces[from - 2];
    if (sign === undefined || !before || !WORD.test(before.text)) break;
    text = before.text + sign + text;
    from -= 2;
    isCompound = true;
  }
  // "bob one two three at": where the name begins is unknown.
  if (!isCompound && isCardinalWord(text)) return undefined;
  const hasCue = pieces.slice(Math.max(0, from - CUE_PIECES), from).some(({ text: word }) => CUE.test(word));
  if (!isCompound && (!hasCue || NOT_LOCAL.test(text))) return undefined;
  return { from, text };
}

function pathAfter(pieces: readonly Piece[], to: number): Part {
  let [end, text] = [to, ""];
  while (
    end < to + MOST_ADDRESS_PIECES &&
    pieces[end]?.text === "slash" &&
    isJoined(pieces, end - 1) &&
    isJoined(pieces, end)
  ) {
    const found = signedWords(pieces, end + 1, (word) => SIGNS[word]);
    if (!found) break;
    text += `/${found.text}`;
    end = found.to;
  }
  return { to: end, text };
}

export function addressesIn(pieces: readonly Piece[], language: string): Edit[] {
  const edits: Edit[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at] as Piece;
    if (AT.test(piece.text) && isJoined(pieces, at)) {
      const domain = domainAt(pieces, at + 1, language);
      const local = domain && localBefore(pieces, at, language);
      if (domain && local && local.from >= (edits.at(-1)?.to ?? 0)) {
        edits.push({ from: local.from, to: domain.to, text: `${local.text}@${domain.text}` });
        at = domain.to - 1;
      }
      continue;
    }
    if (piece.text === "slash" || DOT.test(piece.text)) continue;
    const isTripleW = piece.text === "w" && pieces[at + 1]?.text === "w" && pieces[at + 2]?.text === "w";
    if (isTripleW && DOT.test(pieces[at + 3]?.text ?? "")) {
      const domain = domainAt(pieces, at + 4, language);
      if (domain) {
        const path = pathAfter(pieces, domain.to);
        edits.push({ from: at, to: path.to, text: `www.${domain.text}${path.text}` });
        at = path.to - 1;
      }
      continue;
    }
    const domain = domainAt(pieces, at, language);
    if (!domain) continue;
    const path = pathAfter(pieces, domain.to);
    // "john dot doe at …" begins before its "@".
    const isLocal = AT.test(pieces[path.to]?.text ?? "") && domainAt(pieces, path.to + 1, language) !== undefined;
    if (isLocal || path.to - at < 2) continue;
    edits.push({ from: at, to: path.to, text: domain.text + path.text });
    at = path.to - 1;
  }
  return edits;
}
