// What the rules of German, Dutch, French, Spanish, Portuguese and Italian read around a number.
import { type LanguageRules, RULES } from "./european-rules.ts";
import { isJoined, type Piece } from "./pieces.ts";
import { plainLetters, type Spellings } from "./spellings.ts";

/** Words of the longest number below a thousand: "quatre cent quatre vingt dix neuf". */
const MOST_WORDS = 7;
/** Longer lists are read as far as this. */
const MOST_LISTED = 8;
/** Between the two numbers of a range or choice. */
export const RANGE = /^(?:oder|bis|und|ou|a|o|u|y|e|et|of|tot|en)$/;

export interface Found {
  value: number;
  to: number;
  text: string;
  /** One word for hundred or thousand: "mille grazie". */
  isBare: boolean;
  /** "2 Millionen" and decimals, too. */
  isWhole: boolean;
}

export class Reading {
  private readonly plain: string[];

  constructor(
    readonly pieces: readonly Piece[],
    readonly rules: LanguageRules,
    private readonly spellings: Spellings,
  ) {
    this.plain = pieces.map(({ text }) => plainLetters(text));
  }

  /** The plain text of a piece, where no mark parts it from the one before. */
  next(at: number): string {
    return isJoined(this.pieces, at - 1) ? (this.plain[at] ?? "") : "";
  }

  at(at: number): string {
    return this.plain[at] ?? "";
  }

  saysOneOf(at: number, phrases: readonly string[]): number {
    for (const phrase of phrases) {
      const words = phrase.split(" ");
      if (words.every((word, index) => this.next(at + index) === word)) return words.length;
    }
    return 0;
  }

  /** A number below a thousand, or a century; the longest. */
  private group(from: number): { value: number; to: number } | undefined {
    if (/^\d{1,3}$/.test(this.at(from))) return { value: Number(this.at(from)), to: from + 1 };
    let phrase = "";
    let found: { value: number; to: number } | undefined;
    for (let at = from; at < from + MOST_WORDS && at < this.plain.length; at++) {
      if (at > from && !isJoined(this.pieces, at - 1)) break;
      phrase += (at > from ? " " : "") + this.plain[at];
      const value = this.spellings.get(phrase);
      if (value !== undefined) found = { value, to: at + 1 };
    }
    return found;
  }

  /** "zweitausenddreihundert" in one word. */
  private compound(word: string): number | undefined {
    for (const thousand of this.rules.thousand) {
      const at = word.indexOf(thousand);
      if (at < 0) continue;
      const [head, tail] = [word.slice(0, at), word.slice(at + thousand.length)];
      const size = head === "" ? 1 : head === "ein" ? 1 : this.spellings.get(head);
      const rest = tail === "" ? 0 : (this.spellings.get(tail) ?? this.spellings.get(tail.replace(/^(?:und|en)/, "")));
      if (size !== undefined && rest !== undefined && size < 1000 && rest < 1000 && (tail === "" || rest > 0))
        return size * 1000 + rest;
    }
    return undefined;
  }

  /** Whole thousands with what follows them, in one word or several. */
  private whole(from: number): { value: number; to: number } | undefined {
    const compound = this.compound(this.at(from));
    const group = compound === undefined ? this.group(from) : { value: compound, to: from + 1 };
    if (!group) return undefined;
    const isThousands = compound !== undefined && compound % 1000 === 0;
    // "Sei mille" is no number in Italian, where the plural is "mila".
    const isSingular = group.value > 1 && this.rules.thousand.includes("mila") && this.next(group.to) === "mille";
    const isSaidBehind =
      !isSingular && group.value > 0 && group.value < 1000 && this.rules.thousand.includes(this.next(group.to));
    if (!isThousands && !isSaidBehind) return group;
    const thousands = isThousands ? group.value : group.value * 1000;
    const end = isThousands ? group.to : group.to + 1;
    const and = this.rules.and.includes(this.next(end)) ? 1 : 0;
    const rest = isJoined(this.pieces, end - 1) && this.next(end + and) !== "" ? this.group(end + and) : undefined;
    if (!rest || rest.value >= 1000 || rest.value === 0 || /\d/.test(this.at(end + and)))
      return { value: thousands, to: end };
    return { value: thousands + rest.value, to: rest.to };
  }

  written(value: number): string {
    return value < 10_000 ? String(value) : String(value).replace(/\B(?=(\d{3})+$)/g, this.rules.groups);
  }

  /** Decimals are spoken digit by digit, or as one number. */
  private decimals(from: number): { text: string; to: number } | undefined {
    let [text, to] = ["", from];
    for (;;) {
      const next = this.next(to) === "" ? undefined : this.group(to);
      if (!next || (text !== "" && next.value > 9) || next.value > 99) break;
      text += String(next.value);
      to = next.to;
      if (next.value > 9) break;
    }
    return text === "" ? undefined : { text, to };
  }

  /**
   * "Deux ou trois cents", "zehn, zwanzig oder dreißigtausend": the first numbers are ones of hundreds or thousands, too.
   * @returns where the last number ends
   */
  sharedMultiple(found: Found, most = MOST_LISTED): number | undefined {
    const isRange = RANGE.test(this.next(found.to)) && this.next(found.to + 1) !== "";
    const isListed = this.pieces[found.to - 1]?.mark === "," && !this.pieces[found.to]?.isOpened;
    if (!isRange && !isListed) return undefined;
    const start = isRange ? found.to + 1 : found.to;
    const right = this.number(start);
    if (!right?.isWhole || right.isBare || found.value < 1) return undefined;
    const multiple = [1000, 100].find((one) => right.value % one === 0);
    const isShared = multiple !== undefined && found.value < multiple && found.value * multiple < right.value;
    if (isShared && !/\d/.test(this.at(start))) return right.to;
    // "twintig, dertig of veertigduizend"
    return isListed && most > 0 && found.value < right.value ? this.sharedMultiple(right, most - 1) : undefined;
  }

  /** @returns the end of a number behind "pour" and the like, where it may be a percentage: "pour cent vingt euros" */
  endOfUnread(from: number): number | undefined {
    return this.rules.notBefore.includes(this.next(from - 1) || this.at(from - 1)) ? this.whole(from)?.to : undefined;
  }

  /** @returns where numbers end that follow each other without other words */
  endOfRow(from: number): number {
    let to = from;
    for (;;) {
      const next = this.next(to) === "" ? undefined : this.number(to);
      if (!next) return to;
      to = next.to;
    }
  }

  /** German writes nouns with a capital. */
  isGermanNoun(at: number): boolean {
    return this.rules === RULES["de"] && /^\p{Lu}\p{Ll}/u.test(this.pieces[at]?.raw ?? "");
  }

  number(from: number): Found | undefined {
    if (this.rules.notBefore.includes(this.next(from - 1) || this.at(from - 1))) return undefined;
    const whole = this.whole(from);
    if (!whole) return undefined;
    const { value, to } = whole;
    const isBare = to === from + 1 && (value === 100 || value === 1000) && !/\d/.test(this.at(from));
    const text = this.written(value);
    if (this.rules.point.includes(this.next(to))) {
      const rest = this.decimals(to + 1);
      if (rest) return { value, to: rest.to, text: `${text},${rest.text}`, isBare: false, isWhole: false };
    }
    return { value, to, text, isBare, isWhole: true };
  }
}
