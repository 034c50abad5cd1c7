// Reads an answer in JSON that may be truncated, and completes it to satisfy its schema. Missing values become the shortest ones that
// the schema allows; no content is added.
import { type JsonSchema, leastValue, satisfies, typesOf } from "./json-schema.ts";

const CUT = Symbol("cut");
type Parsed = unknown | typeof CUT;

/** Reads JSON up to its end or the point where it is truncated; an incomplete member is left out. */
class PartialReader {
  private at = 0;

  constructor(private readonly text: string) {}

  value(): Parsed {
    this.space();
    const first = this.text[this.at];
    if (first === "{") return this.object();
    if (first === "[") return this.array();
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

const isObject = (value: unknown): value is Record<string, unknown> => typeOf(value) === "object";

/** The value in the form of the schema. @returns UNFIT if no part of it can be used */
function fitted(schema: JsonSchema, value: unknown): unknown {
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum.some((one) => JSON.stringify(one) === JSON.stringify(value)) ? value : UNFIT;
  if (schema.anyOf) {
    const found = schema.anyOf.map((one) => fitted(one, value)).find((one) => one !== UNFIT);
    return found === undefined ? UNFIT : found;
  }
  if (!isOfType(value, typesOf(schema))) return UNFIT;
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, one]) => {
        const own = Object.hasOwn(value, name) ? fitted(one, value[name]) : UNFIT;
        return [name, own === UNFIT ? leastValue(one) : own];
      }),
    );
  }
  if (Array.isArray(value)) {
    const items = value.map((one) => fitted(schema.items ?? {}, one)).filter((one) => one !== UNFIT);
    const fitting = items.slice(0, schema.maxItems ?? items.length);
    while (fitting.length < (schema.minItems ?? 0)) fitting.push(leastValue(schema.items ?? {}));
    return fitting;
  }
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

/**
 * @param text  answer under the grammar of the schema, or words around JSON
 * @returns a value that satisfies the schema
 * @throws SyntaxError if the text has no JSON, or none that fits
 */
export function jsonAnswer(text: string, schema: JsonSchema): unknown {
  const inner = /```(?:json)?\s*(.*?)(?:```|$)/s.exec(text)?.[1] ?? text;
  const start = /^[\s]*[-\d"tfn]/.test(inner) ? 0 : inner.search(/[[{]/);
  if (start < 0) throw new SyntaxError("no JSON");
  const found = new PartialReader(inner.slice(start)).value();
  const value = found === CUT ? UNFIT : fitted(schema, found);
  const fit = value === UNFIT ? leastValue(schema) : value;
  if (!satisfies(schema, fit)) throw new SyntaxError("the answer does not satisfy the schema");
  return fit;
}
