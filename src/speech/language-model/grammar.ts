// Makes a grammar (GBNF) from a JSON schema, so that the model can only generate JSON of that form. All properties are written, in the
// schema's order.
// Source: llama.cpp's grammars/README.md.
import { type JsonSchema, MOST_COUNTED_CHARACTERS, MOST_ITEMS, typesOf } from "./json-schema.ts";

const BASE = [
  `char ::= [^"\\\\\\x7F\\x00-\\x1F] | "\\\\" ["\\\\/bfnrt]`,
  `digits ::= "0" | [1-9] [0-9]{0,14}`,
  `fraction ::= "." [0-9]{1,6}`,
].join("\n");

/** A text as a literal of the grammar. */
const literal = (text: string) => `"${text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n").replace(/\r/g, "\\r")}"`;
const json = (value: unknown) => literal(JSON.stringify(value));
/** More alternatives are checked afterwards. */
const MOST_NUMBERS = 200;

class Rules {
  readonly lines: string[] = [];

  private add(body: string): string {
    const name = `r${this.lines.length}`;
    this.lines.push(`${name} ::= ${body}`);
    return name;
  }

  of(schema: JsonSchema): string {
    if ("const" in schema) return this.add(json(schema.const));
    if (schema.enum) return this.add(schema.enum.map(json).join(" | "));
    if (schema.anyOf) return this.add(schema.anyOf.map((one) => this.of(one)).join(" | "));
    return this.add(
      typesOf(schema)
        .map((type) => this.typed(type, schema))
        .join(" | "),
    );
  }

  private typed(type: string, schema: JsonSchema): string {
    switch (type) {
      case "object":
        return this.object(schema.properties ?? {});
      case "array":
        return this.array(schema);
      case "string":
        return this.string(schema);
      case "boolean":
        return `"true" | "false"`;
      case "null":
        return `"null"`;
      default:
        return this.number(schema, type === "integer");
    }
  }

  private object(properties: Readonly<Record<string, JsonSchema>>): string {
    const members = Object.entries(properties).map(
      ([name, one]) => `${literal(`${JSON.stringify(name)}: `)} ${this.of(one)}`,
    );
    return `"{" ${members.join(` ", " `)} "}"`;
  }

  private array({ items = {}, minItems = 0, maxItems = MOST_ITEMS }: JsonSchema): string {
    if (maxItems === 0) return `"[]"`;
    const item = this.of(items);
    const most = Math.max(Math.min(maxItems, MOST_ITEMS), minItems, 1);
    const list = `"[" ${item} (", " ${item}){${Math.max(0, minItems - 1)},${most - 1}} "]"`;
    return minItems > 0 ? list : `"[]" | ${list}`;
  }

  private string({ minLength = 0, maxLength }: JsonSchema): string {
    const isCounted = maxLength !== undefined && maxLength <= MOST_COUNTED_CHARACTERS;
    const least = Math.min(minLength, MOST_COUNTED_CHARACTERS);
    const times = isCounted ? `{${least},${maxLength}}` : least > 0 ? `{${least},}` : "*";
    return `"\\"" char${times} "\\""`;
  }

  private number({ minimum, maximum }: JsonSchema, isInteger: boolean): string {
    if (isInteger && minimum !== undefined && maximum !== undefined && maximum - minimum < MOST_NUMBERS) {
      const first = Math.ceil(minimum);
      return Array.from({ length: Math.floor(maximum) - first + 1 }, (_, at) => `"${first + at}"`).join(" | ");
    }
    const sign = minimum !== undefined && minimum >= 0 ? "" : `"-"? `;
    return `${sign}digits${isInteger ? "" : " fraction?"}`;
  }
}

/** @param schema  one without a schemaProblem() */
export function grammarOf(schema: JsonSchema): string {
  const rules = new Rules();
  const root = rules.of(schema);
  return `root ::= ${root}\n${BASE}\n${rules.lines.join("\n")}\n`;
}
