// Reads an answer in JSON that may be truncated, and completes it to satisfy its schema. Missing values become the shortest ones that
// the schema allows; no content is added.
import { isObject, isSame, type JsonSchema, leastCharacters, leastValue, satisfies, typesOf } from "./json-schema.ts";

/** Deeper values are truncated: no schema that is accepted is as deep. */
const MOST_DEPTH = 100;
/** Characters of all values that are filled in; a longer answer is refused, like one that does not fit. */
const MOST_FILLED_CHARACTERS = 200_000;

const CUT = Symbol("cut");
type Parsed = unknown | typeof CUT;

/** The inside of the first code fence of a text; without a fence, the text. */
export function unfenced(text: string): string {
  const fence = text.indexOf("```");
  if (fence < 0) return text;
  const start = fence + 3 + (text.startsWith("json", fence + 3) ? 4 : 0);
  const end = text.indexOf("```", start);
  return text.slice(start, end < 0 ? text.length : end).trimStart();
}

/** Reads JSON up to its end or the point where it is truncated; an incomplete member is left out. */
class PartialReader {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  value(): Parsed {
    this.space();
    const first = this.text[this.at];
    if (first === "{" || first === "[") {
      if (this.depth === MOST_DEPTH) return CUT;
      this.depth++;
      const found = first === "{" ? this.object() : this.array();
      this.depth--;
      return found;
    }
    if (first === '"') return this.string();
    const [scalar] =
      /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/.exec(this.text.slice(this.at, this.at + 64)) ?? [];
    if (scalar === undefined) return CUT;
    this.at += scalar.length;
    // A number at the end of the text may have had more digits.
    return this.at >= this.text.length && /\d$/.test(scalar) ? CUT : JSON.parse(scalar);
  }

  private space(): void {
    while (/\s/.test(this.text[this.at] ?? "")) this.at++;
  }

  private skip(mark: string): boolean {
    this.space();
    if (this.text[this.at] !== mark) return false;
    this.at++;
    return true;
  }

  private object(): Record<string, unknown> {
    const found: Record<string, unknown> = {};
    this.at++;
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') break;
      const name = this.string();
      if (name === CUT || !this.skip(":")) break;
      const value = this.value();
      if (value === CUT) break;
      Object.defineProperty(found, name as string, { value, enumerable: true, configurable: true, writable: true });
      if (!this.skip(",")) break;
    }
    this.skip("}");
    return found;
  }

  private array(): unknown[] {
    const found: unknown[] = [];
    this.at++;
    for (;;) {
      const value = this.value();
      if (value === CUT) break;
      found.push(value);
      if (!this.skip(",")) break;
    }
    this.skip("]");
    return found;
  }

  private string(): string | typeof CUT {
    let end = this.at + 1;
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === "\\" ? 2 : 1;
    if (end >= this.text.length) return CUT;
    const text = this.text.slice(this.at, end + 1);
    this.at = end + 1;
    try {
      return JSON.parse(text) as string;
    } catch {
      return CUT;
    }
  }
}

const UNFIT = Symbol("unfit");

const typeOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
};

const isOfType = (value: unknown, types: readonly string[]) => {
  const type = typeOf(value);
  return types.includes(type) || (type === "integer" && types.includes("number"));
};

/** Gives a value the form of a schema. */
class Fitting {
  private filledCharacters = 0;

  /** @returns UNFIT if no part of the value can be used */
  of(schema: JsonSchema, value: unknown): unknown {
    if ("const" in schema) return schema.const;
    if (schema.enum) return schema.enum.some((one) => isSame(one, value)) ? value : UNFIT;
    if (schema.anyOf) {
      const found = schema.anyOf.map((one) => this.of(one, value)).find((one) => one !== UNFIT);
      return found === undefined ? UNFIT : found;
    }
    if (!isOfType(value, typesOf(schema))) return UNFIT;
    if (isObject(value)) return this.object(schema, value);
    if (Array.isArray(value)) return this.array(schema, value);
    if (typeof value === "string") {
      const text = schema.maxLength === undefined ? value : [...value].slice(0, schema.maxLength).join("");
      return [...text].length < (schema.minLength ?? 0) ? UNFIT : text;
    }
    if (typeof value === "number") {
      const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
      return value >= minimum && value <= maximum ? value : UNFIT;
    }
    return value;
  }

  /** @throws SyntaxError if too much is missing */
  least(schema: JsonSchema): unknown {
    this.filledCharacters += leastCharacters(schema);
    if (this.filledCharacters > MOST_FILLED_CHARACTERS) throw new SyntaxError("too much of the answer is missing");
    return leastValue(schema);
  }

  private object({ properties = {} }: JsonSchema, value: Record<string, unknown>): unknown {
    return Object.fromEntries(
      Object.entries(properties).map(([name, one]) => {
        const own = Object.hasOwn(value, name) ? this.of(one, value[name]) : UNFIT;
        return [name, own === UNFIT ? this.least(one) : own];
      }),
    );
  }

  private array({ items = {}, minItems = 0, maxItems }: JsonSchema, value: readonly unknown[]): unknown {
    const found = value.map((one) => this.of(items, one)).filter((one) => one !== UNFIT);
    const fitting = found.slice(0, maxItems ?? found.length);
    while (fitting.length < minItems) fitting.push(this.least(items));
    return fitting;
  }
}

/**
 * @param text  answer under the grammar of the schema, or words around JSON
 * @returns a value that satisfies the schema
 * @throws SyntaxError if the text has no JSON, or none that fits
 */
export function jsonAnswer(text: string, schema: JsonSchema): unknown {
  const inner = unfenced(text);
  const start = /^[\s]*[-\d"tfn]/.test(inner) ? 0 : inner.search(/[[{]/);
  if (start < 0) throw new SyntaxError("no JSON");
  const found = new PartialReader(inner.slice(start)).value();
  const fitting = new Fitting();
  const value = found === CUT ? UNFIT : fitting.of(schema, found);
  const fit = value === UNFIT ? fitting.least(schema) : value;
  if (!satisfies(schema, fit)) throw new SyntaxError("the answer does not satisfy the schema");
  return fit;
}
