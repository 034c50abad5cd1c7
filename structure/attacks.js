// Finds texts for which a regular expression takes more than linear time: texts of repeated parts of what the expression matches, with
// an end that it does not match. They are run, so the result is that of the engine that the service uses.

/** Characters that classes of characters contain, in addition to those of the expression. */
const CHARACTERS = [..."aA0 .-_\t\n\r\u2028\"'/,<é", "\0"];
/** Stands before the repeated part, so that expressions that are anchored at the start of the text do not match it. */
const BLOCK = "a0";
const ENDINGS = ["", "\0", "\n\0a"];
/** Repetitions grow by this factor, so that an exponential expression ends, too. */
const GROWTH = 1.5;
const FIRST_REPETITIONS = 6;
const FEW_REPETITIONS = 40;

/** Parses the syntax of regular expressions as far as samples need it. */
class Parser {
  at = 0;
  /** Literal characters of the expression. */
  literals = new Set();

  constructor(source, flags) {
    this.source = source;
    this.flags = flags.replace(/[gy]/g, "");
  }

  alternatives() {
    const options = [[]];
    while (this.at < this.source.length && this.source[this.at] !== ")") {
      if (this.source[this.at] === "|") {
        this.at++;
        options.push([]);
      } else options.at(-1).push(this.quantified());
    }
    return { options };
  }

  quantified() {
    const node = this.atom();
    const found = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(this.source.slice(this.at, this.at + 20));
    if (!found) return node;
    this.at += found[0].length;
    const [all, least, hasMost, most] = found;
    const [min, max] =
      least === undefined
        ? { "*": [0, Infinity], "+": [1, Infinity], "?": [0, 1] }[all[0]]
        : [Number(least), hasMost ? (most === "" ? Infinity : Number(most)) : Number(least)];
    return { repeated: node, min, max };
  }

  atom() {
    const start = this.at;
    const first = this.source[this.at++];
    if (first === "(") {
      const [opening, name] = /^(?:\?(?:[:=!]|<[=!]|(<[^>]+>)))?/.exec(this.source.slice(this.at, this.at + 60));
      this.at += opening.length;
      const group = this.alternatives();
      this.at++;
      return opening === "" || opening === "?:" || name ? group : { around: group };
    }
    if (first === "^" || first === "$") return { options: [[]] };
    if (first === "[") {
      while (this.source[this.at] !== "]") this.at += this.source[this.at] === "\\" ? this.escapeLength(this.at) : 1;
      this.at++;
      for (const one of this.source.slice(start + 1, this.at - 1)) this.literals.add(one);
    } else if (first === "\\") {
      this.at = start + this.escapeLength(start);
      if (/^\\(?:[bB1-9]|k<)/.test(this.source.slice(start, this.at))) return { options: [[]] };
    } else if (first !== ".") this.literals.add(first);
    return { set: this.source.slice(start, this.at) };
  }

  escapeLength(at) {
    const rest = this.source.slice(at, at + 60);
    return /^\\(?:[pPu]\{[^}]*\}|k<[^>]*>|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|.)/is.exec(rest)[0].length;
  }
}

/** The parts of a parsed expression from which texts are made. */
class Samples {
  /** Parts that can be repeated, each with what precedes it. */
  pumps = new Map();

  constructor(parser) {
    this.flags = parser.flags;
    this.characters = [...new Set([...parser.literals, ...CHARACTERS])];
  }

  charactersOf(set) {
    const expression = new RegExp(`^(?:${set})$`, this.flags);
    const literal = [...(set.startsWith("\\") ? set.slice(1) : set)].filter((one) => expression.test(one));
    return [...new Set([...literal, ...this.characters.filter((one) => expression.test(one))])];
  }

  /**
   * @param before  a text that the parts before this one match
   * @param isFull  whether optional parts occur
   * @returns a text that this part matches
   */
  of(node, before, isFull) {
    if (node.set !== undefined) return this.charactersOf(node.set)[0] ?? "a";
    if (node.around) {
      this.of(node.around, before, isFull);
      return "";
    }
    if (node.options) {
      const texts = node.options.map((option) =>
        option.reduce((text, one) => text + this.of(one, before + text, isFull), ""),
      );
      return texts[0];
    }
    if (node.max > 1) this.addPumps(node.repeated, before);
    const one = this.of(node.repeated, before, isFull);
    return one.repeat(Math.max(Math.min(node.min, 20), isFull && node.max > 0 ? 1 : 0));
  }

  addPumps(node, before) {
    if (node.set !== undefined) for (const one of this.charactersOf(node.set).slice(0, 4)) this.pump(one, before);
    for (const option of node.options ?? []) {
      for (const isFull of [false, true]) {
        const text = option.reduce((made, one) => made + this.of(one, before + made, isFull), "");
        this.pump(text, before);
      }
    }
  }

  pump(text, before) {
    if (text === "" || text.length > 200) return;
    const known = this.pumps.get(text) ?? new Set([""]);
    this.pumps.set(text, known);
    if (known.size < 3) known.add(before.slice(-200));
  }
}

/** Texts to try: what is repeated, and what stands before it. */
function pumpsOf(source, flags) {
  const parser = new Parser(source, flags);
  const tree = parser.alternatives();
  const samples = new Samples(parser);
  for (const isFull of [false, true]) {
    for (const option of tree.options) samples.pump(samples.of({ options: [option] }, "", isFull), "");
  }
  for (const one of samples.characters) samples.pump(one, "");
  return samples.pumps;
}

/** Processor time of a run, milliseconds. */
function run(expression, text) {
  const before = process.cpuUsage();
  if (expression.global) for (const _ of text.matchAll(expression));
  else expression.exec(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Exponential time at least doubles with each repetition: few are added while they are few, so that a run ends within seconds. */
const nextCount = (count) => (count < FEW_REPETITIONS ? count + 2 : Math.ceil(count * GROWTH));

/**
 * @param most   characters of the longest text
 * @param limit  processor time that a text may take, milliseconds
 * @returns the beginning of a text that takes longer, or undefined
 */
export function attackOn(source, flags, most, limit) {
  const expression = new RegExp(source, flags);
  for (const [pump, beginnings] of pumpsOf(source, flags)) {
    for (const beginning of new Set([...beginnings, BLOCK])) {
      for (const ending of ENDINGS) {
        const last = Math.max(1, Math.floor((most - beginning.length - ending.length) / pump.length));
        for (let count = Math.min(FIRST_REPETITIONS, last); ; count = Math.min(last, nextCount(count))) {
          const text = beginning + pump.repeat(count) + ending;
          // Other work of the process, such as compiling the expression, does not repeat.
          const isSlow = [0, 1, 2].every(() => run(expression, text) > limit);
          if (isSlow) return { beginning, pump, ending, characters: text.length };
          if (count === last) break;
        }
      }
    }
  }
  return undefined;
}
