// Reads expressions of SQL into functions. Text that it does not know is an error, so that no condition of a statement is skipped.
import { columnOf, columnOfTable, type Expression, type Frame, type Query } from "./frames.ts";
import {
  cast,
  comparable,
  compares,
  computed,
  FUNCTIONS,
  inOrder,
  intervalOf,
  likeness,
  type Value,
} from "./values.ts";

interface Token {
  kind: "word" | "quoted" | "number" | "string" | "parameter" | "symbol";
  text: string;
}

const TOKEN =
  /\s+|--[^\n]*|"([^"]+)"|'((?:[^']|'')*)'|\$(\d+)|(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(::|=>|<=|>=|<>|!=|\|\||[-+*/(),.=<>~[\]])/gy;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found) throw new Error(`the database of the simulation cannot read: ${text.slice(at, at + 40)}`);
    const [, quoted, string, parameter, number, word, symbol] = found;
    if (quoted !== undefined) tokens.push({ kind: "quoted", text: quoted });
    else if (string !== undefined) tokens.push({ kind: "string", text: string.replaceAll("''", "'") });
    else if (parameter !== undefined) tokens.push({ kind: "parameter", text: parameter });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (word !== undefined) tokens.push({ kind: "word", text: word.toLowerCase() });
    else if (symbol !== undefined) tokens.push({ kind: "symbol", text: symbol });
  }
  return tokens;
}

const COMPARISONS = ["=", "<>", "!=", "<=", ">=", "<", ">", "~"];
const inverse = (value: Value): Value => (value === null ? null : value !== true);

export abstract class SqlReader {
  private readonly tokens: readonly Token[];
  private at = 0;

  constructor(private readonly text: string) {
    this.tokens = tokensOf(text);
  }

  /** A query in parentheses. */
  protected abstract select(): Query;

  protected get isAtEnd(): boolean {
    return this.at === this.tokens.length;
  }

  protected fail(): never {
    const found = this.tokens[this.at]?.text ?? "the end";
    throw new Error(`the database of the simulation does not know "${found}" at this place of: ${this.text}`);
  }

  protected is(...words: string[]): boolean {
    return words.every((word, index) => {
      const token = this.tokens[this.at + index];
      return token?.text === word && (token.kind === "word" || token.kind === "symbol");
    });
  }

  protected take(...words: string[]): boolean {
    const isHere = this.is(...words);
    if (isHere) this.at += words.length;
    return isHere;
  }

  protected expect(...words: string[]): void {
    if (!this.take(...words)) this.fail();
  }

  protected takeKind(kind: Token["kind"]): string | undefined {
    const token = this.tokens[this.at];
    if (token?.kind !== kind) return undefined;
    this.at++;
    return token.text;
  }

  /** Reads something, and stays there if it is present and `returns` is not set. */
  protected lookAhead<Item>(read: () => Item | undefined, returns = false): Item | undefined {
    const before = this.at;
    const item = read();
    if (item === undefined || returns) this.at = before;
    return item;
  }

  protected get isWord(): boolean {
    return this.tokens[this.at]?.kind === "word";
  }

  protected identifier(): string {
    return this.takeKind("quoted") ?? this.takeKind("word") ?? this.fail();
  }

  /** One or more, separated by commas. */
  protected list<Item>(read: () => Item): Item[] {
    const items = [read()];
    while (this.take(",")) items.push(read());
    return items;
  }

  protected inParentheses<Item>(read: () => Item): Item {
    this.expect("(");
    const item = read();
    this.expect(")");
    return item;
  }

  protected expression(): Expression {
    let left = this.conjunction();
    while (this.take("or")) {
      const [one, other] = [left, this.conjunction()];
      left = (frame) => {
        const first = one(frame);
        if (first === true) return true;
        const second = other(frame);
        return second === true ? true : first === null || second === null ? null : false;
      };
    }
    return left;
  }

  private conjunction(): Expression {
    let left = this.negation();
    while (this.take("and")) {
      const [one, other] = [left, this.negation()];
      left = (frame) => {
        const first = one(frame);
        if (first === false) return false;
        const second = other(frame);
        return second === false ? false : first === null || second === null ? null : true;
      };
    }
    return left;
  }

  private negation(): Expression {
    if (!this.take("not")) return this.comparison();
    const operand = this.negation();
    return (frame) => inverse(operand(frame));
  }

  private comparison(): Expression {
    const left = this.sum();
    if (this.take("is")) return this.identity(left);
    const isNegated = this.take("not");
    const negated = (expression: Expression): Expression =>
      isNegated ? (frame) => inverse(expression(frame)) : expression;
    if (this.take("in")) return negated(this.membership(left));
    if (this.take("like")) {
      const pattern = this.sum();
      return negated((frame) => {
        const value = left(frame);
        return value === null ? null : likeness(String(pattern(frame))).test(String(value));
      });
    }
    if (isNegated) this.fail();
    const operator = COMPARISONS.find((one) => this.take(one));
    if (operator === undefined) return left;
    if (operator === "=" && this.take("any")) {
      const array = this.inParentheses(() => this.expression());
      return (frame) => (array(frame) as Value[]).some((item) => compares("=", left(frame), item) === true);
    }
    const right = this.sum();
    return (frame) => compares(operator, left(frame), right(frame));
  }

  private identity(left: Expression): Expression {
    const isNegated = this.take("not");
    if (this.take("null")) return (frame) => (left(frame) === null) !== isNegated;
    this.expect("distinct", "from");
    const right = this.sum();
    return (frame) => (comparable(left(frame)) !== comparable(right(frame))) !== isNegated;
  }

  private membership(left: Expression): Expression {
    return this.inParentheses(() => {
      if (this.is("select")) {
        const query = this.select();
        const [column = ""] = query.columns;
        return (frame) => query.run(frame.run, frame).some((row) => compares("=", left(frame), row[column]) === true);
      }
      const items = this.list(() => this.expression());
      return (frame) => {
        const value = left(frame);
        return value === null ? null : items.some((item) => compares("=", value, item(frame)) === true);
      };
    });
  }

  private sum(): Expression {
    return this.chain(["+", "-", "||"], () => this.chain(["*", "/"], () => this.castValue()));
  }

  private chain(operators: readonly string[], operand: () => Expression): Expression {
    let left = operand();
    for (;;) {
      const operator = operators.find((one) => this.take(one));
      if (operator === undefined) return left;
      const [one, other] = [left, operand()];
      left = (frame) => computed(operator, one(frame), other(frame));
    }
  }

  private castValue(): Expression {
    let value = this.primary();
    while (this.take("::")) {
      const of = value;
      const name = this.identifier();
      const type = this.take("[", "]") ? `${name}[]` : name;
      value = (frame) => cast(of(frame), type);
    }
    return value;
  }

  private primary(): Expression {
    const string = this.takeKind("string");
    if (string !== undefined) return () => string;
    const number = this.takeKind("number");
    if (number !== undefined) return () => Number(number);
    const parameter = this.takeKind("parameter");
    if (parameter !== undefined) return ({ run }) => run.parameters[Number(parameter) - 1] ?? null;
    if (this.take("true")) return () => true;
    if (this.take("false")) return () => false;
    if (this.take("null")) return () => null;
    if (this.take("interval")) {
      const interval = intervalOf(this.takeKind("string") ?? this.fail());
      return () => interval;
    }
    if (this.take("exists")) {
      const query = this.inParentheses(() => this.select());
      return (frame) => query.run(frame.run, frame).length > 0;
    }
    if (this.take("array")) {
      const query = this.inParentheses(() => this.select());
      const [column = ""] = query.columns;
      return (frame) => query.run(frame.run, frame).map((row) => row[column] ?? null);
    }
    if (this.take("case")) return this.choice();
    if (this.is("(")) return this.parenthesised();
    return this.named();
  }

  private parenthesised(): Expression {
    return this.inParentheses(() => {
      if (!this.is("select")) return this.expression();
      const query = this.select();
      const [column = ""] = query.columns;
      return (frame) => query.run(frame.run, frame)[0]?.[column] ?? null;
    });
  }

  private choice(): Expression {
    const compared = this.is("when") ? undefined : this.expression();
    const branches: { when: Expression; value: Expression }[] = [];
    while (this.take("when")) {
      const when = this.expression();
      this.expect("then");
      branches.push({ when, value: this.expression() });
    }
    const other: Expression = this.take("else") ? this.expression() : () => null;
    this.expect("end");
    return (frame) => {
      const holds = ({ when }: { when: Expression }) =>
        compared ? compares("=", compared(frame), when(frame)) === true : when(frame) === true;
      return (branches.find(holds)?.value ?? other)(frame);
    };
  }

  /** Columns and calls of functions. */
  private named(): Expression {
    if (this.take("extract", "(", "epoch", "from")) {
      const value = this.expression();
      this.expect(")");
      return (frame) => {
        const found = comparable(value(frame));
        return found === null ? null : Number(found) / 1_000;
      };
    }
    if (this.take("count", "(", "*", ")")) return this.aggregate((frames) => frames.length);
    for (const name of ["min", "max", "sum"]) {
      if (!this.take(name, "(")) continue;
      const value = this.expression();
      this.expect(")");
      return this.aggregate((frames) => {
        const found = frames
          .map(value)
          .filter((one) => one !== null)
          .sort(inOrder);
        if (name === "sum") return found.length === 0 ? null : found.reduce<number>((sum, one) => sum + Number(one), 0);
        return (name === "min" ? found[0] : found.at(-1)) ?? null;
      });
    }
    const name = this.identifier();
    if (this.take("(")) return this.call(name);
    return this.take(".") ? columnOfTable(name, this.identifier()) : columnOf(name);
  }

  /** Whether the query that is read aggregates its rows. */
  protected isAggregated = false;

  private aggregate(value: (frames: readonly Frame[]) => Value): Expression {
    this.isAggregated = true;
    return ({ group = [] }) => value(group);
  }

  private call(name: string): Expression {
    const apply = FUNCTIONS[name];
    if (!apply) this.fail();
    const given = this.is(")")
      ? []
      : this.list(() => {
          // A named parameter.
          this.take("secs", "=>");
          return this.expression();
        });
    this.expect(")");
    return (frame) =>
      apply(
        given.map((one) => one(frame)),
        frame,
      );
  }
}
