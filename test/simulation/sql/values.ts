// Values of the database of the simulation: comparison, operators, casts and functions of PostgreSQL, as far as statements of the service use them.
import type { Frame } from "./frames.ts";

export type Value = unknown;

export class Interval {
  constructor(readonly milliseconds: number) {}
}

/** Virtual time replaces the class. */
const RealDate = Date;
export const isTime = (value: Value): value is Date => value instanceof RealDate;

const UNITS: Readonly<Record<string, number>> = { second: 1_000, minute: 60_000, hour: 3_600_000 };

/** @param text  "1 second" */
export function intervalOf(text: string): Interval {
  const [count = "", unit = ""] = text.split(" ");
  const milliseconds = UNITS[unit.replace(/s$/, "")];
  if (milliseconds === undefined) throw new Error(`the database of the simulation has no interval '${text}'`);
  return new Interval(Number(count) * milliseconds);
}

/** Times and intervals as numbers; null for what is absent. */
export function comparable(value: Value): Value {
  if (isTime(value)) return value.getTime();
  return value instanceof Interval ? value.milliseconds : (value ?? null);
}

/** For `order by`: null is last. */
export function inOrder(one: Value, other: Value): number {
  const [left, right] = [comparable(one), comparable(other)];
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  return (left as number) < (right as number) ? -1 : 1;
}

/** @returns null if one of the values is */
export function compares(operator: string, one: Value, other: Value): boolean | null {
  const [left, right] = [comparable(one), comparable(other)];
  if (left === null || right === null) return null;
  switch (operator) {
    case "=":
      return left === right;
    case "<>":
    case "!=":
      return left !== right;
    case "<":
      return (left as number) < (right as number);
    case "<=":
      return (left as number) <= (right as number);
    case ">":
      return (left as number) > (right as number);
    case ">=":
      return (left as number) >= (right as number);
    case "~":
      return new RegExp(String(right)).test(String(left));
    default:
      throw new Error(`the database of the simulation has no operator ${operator}`);
  }
}

/** Of +, -, *, /, and || */
export function computed(operator: string, left: Value, right: Value): Value {
  if (left === null || right === null) return null;
  if (isTime(left) && right instanceof Interval) {
    const sign = operator === "-" ? -1 : 1;
    return new RealDate(left.getTime() + sign * right.milliseconds);
  }
  if (isTime(left) && isTime(right)) return new Interval(left.getTime() - right.getTime());
  if (operator === "||") return String(left) + String(right);
  if (typeof left === "object" && operator === "-") {
    const { [String(right)]: _, ...others } = left as Record<string, Value>;
    return others;
  }
  const [one, other] = [Number(left), Number(right)];
  if (operator === "+") return one + other;
  if (operator === "-") return one - other;
  return operator === "*" ? one * other : one / other;
}

export function cast(value: Value, type: string): Value {
  if (value === null || value === undefined) return null;
  if (type.endsWith("[]")) return (value as Value[]).map((item) => cast(item, type.slice(0, -2)));
  switch (type) {
    case "text":
      return typeof value === "object" ? JSON.stringify(value) : String(value);
    case "integer":
    case "bigint":
    case "float8":
      return Number(value);
    case "json":
    case "jsonb":
      return typeof value === "string" ? JSON.parse(value) : value;
    case "uuid":
    case "boolean":
    case "timestamptz":
      return value;
    default:
      throw new Error(`the database of the simulation has no type ${type}`);
  }
}

const present = (values: readonly Value[]) => values.filter((value) => value !== null && value !== undefined);
const sorted = (values: readonly Value[]) => present(values).sort(inOrder);

/** SQL's text of a pattern for `like` as a regular expression. */
export const likeness = (pattern: string) =>
  new RegExp(
    `^${pattern
      .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
      .replaceAll("%", ".*")
      .replaceAll("_", ".")}$`,
    "s",
  );

export const FUNCTIONS: Readonly<Record<string, (given: readonly Value[], frame: Frame) => Value>> = {
  now: (_, { run }) => run.now,
  clock_timestamp: (_, { run }) => run.now,
  /** Not of PostgreSQL: the clock of the process that sent the statement, for defects that tests put in. */
  clock_of_process: (_, { run }) => run.processNow,
  coalesce: (given) => present(given)[0] ?? null,
  least: (given) => sorted(given)[0] ?? null,
  greatest: (given) => sorted(given).at(-1) ?? null,
  starts_with: ([text, start]) => (text === null || start === null ? null : String(text).startsWith(String(start))),
  split_part: ([text, by, part]) => (text === null ? null : (String(text).split(String(by))[Number(part) - 1] ?? "")),
  string_to_array: ([text, by]) => (text === "" ? [] : String(text).split(String(by))),
  make_interval: ([seconds]) => new Interval(Number(seconds) * 1_000),
  regexp_replace: ([text, pattern, by]) =>
    text === null ? null : String(text).replace(new RegExp(String(pattern)), String(by).replace(/\\(\d)/g, "$$$1")),
  lane_of_job: ([kind, fileId]) => (kind === "live" ? "live" : fileId === null ? "fetch" : "process"),
};
