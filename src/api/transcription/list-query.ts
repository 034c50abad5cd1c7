// The filters of the lists, in every encoding that clients use: repeated, bracketed or comma-separated lists,
// metadata as brackets or as one JSON object, empty parameters that mean nothing.
import { Type } from "@sinclair/typebox";
import { errors } from "../../errors.ts";
import { metadataFilter } from "../../storage/db/metadata-filter.ts";
import type { JobKind, JobStatus } from "../../storage/db/schema.ts";
import { Enum } from "../schemas/fields.ts";
import { JOB_KINDS, JOB_STATUSES } from "../schemas/job.ts";
import { parseJson } from "../validation/json.ts";

export const DEFAULT_LIMIT = 20;
export const MOST_ITEMS = 1000;

const MOST_SEARCH_CHARACTERS = 500;

/** For the reference page; the parsing below is what holds. */
export const ListQuery = Type.Object({
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, default: DEFAULT_LIMIT, description: `At most ${MOST_ITEMS}` })),
  date: Type.Optional(Type.String({ description: "A UTC day, YYYY-MM-DD" })),
  before_date: Type.Optional(Type.String({ description: "Created before this time" })),
  after_date: Type.Optional(Type.String({ description: "Created after this time" })),
  status: Type.Optional(Type.Array(Enum(JOB_STATUSES), { description: "Repeated, status[]= or comma-separated" })),
  kind: Type.Optional(Type.Array(Enum(JOB_KINDS))),
  search: Type.Optional(
    Type.String({
      maxLength: MOST_SEARCH_CHARACTERS,
      description:
        'An extension of the interface. Words of the transcript, as corrected; "phrases", or, -not. Each job found tells a passage.',
    }),
  ),
  custom_metadata: Type.Optional(
    Type.String({ description: "custom_metadata[key]=value, or one JSON object; jobs that contain all of it" }),
  ),
});

export interface ListFilters {
  offset: number;
  limit: number;
  date?: Date;
  before?: Date;
  after?: Date;
  statuses?: JobStatus[];
  kinds?: JobKind[];
  metadata?: object;
  search?: string;
}

type Raw = Record<string, string | string[] | undefined>;

const DAY_MILLISECONDS = 86_400_000;
export const endOfDay = (day: Date) => new Date(day.getTime() + DAY_MILLISECONDS);

const asList = (value: string | string[] | undefined): string[] =>
  (value === undefined ? [] : Array.isArray(value) ? value : [value]).filter((text) => text !== "");

function choices<T extends string>(raw: Raw, name: string, allowed: readonly T[], problems: string[]): T[] | undefined {
  const given = [...asList(raw[name]), ...asList(raw[`${name}[]`])]
    .flatMap((text) => text.split(","))
    .map((text) => text.trim())
    .filter((text) => text !== "");
  const unknown = given.filter((text) => !(allowed as readonly string[]).includes(text));
  if (unknown.length > 0) problems.push(`${name} must only contain the following values: ${allowed.join(", ")}`);
  return given.length > 0 ? (given as T[]) : undefined;
}

function integer(raw: Raw, name: string, least: number, fallback: number, problems: string[]): number {
  const text = asList(raw[name])[0];
  if (text === undefined) return fallback;
  if (!/^[+-]?\d+$/.test(text)) problems.push(`${name} must be an integer number`);
  else if (Number(text) < least) problems.push(`${name} must not be less than ${least}`);
  else if (!Number.isSafeInteger(Number(text)))
    problems.push(`${name} must not be greater than ${Number.MAX_SAFE_INTEGER}`);
  return Number(text);
}

/** PostgreSQL's timestamps end earlier than JavaScript's. */
const ISO_DATE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

function time(raw: Raw, name: string, problems: string[]): Date | undefined {
  const text = asList(raw[name])[0];
  if (text === undefined) return undefined;
  // A plus sign in a query means a space unless it was encoded.
  const spelled = text.replace(/ (\d{2}:?\d{2})$/, "+$1");
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/i.test(spelled) || /^\d{4}-\d{2}-\d{2}$/.test(spelled);
  const value = new Date(ISO_DATE.test(spelled) ? (hasZone ? spelled : `${spelled}Z`) : Number.NaN);
  if (Number.isNaN(value.getTime())) {
    problems.push(`${name} must be a valid ISO 8601 date string`);
    return undefined;
  }
  return value;
}

const FORBIDDEN_KEYS = new Set(["__proto__", "constructor", "prototype"]);

function bracketMetadata(raw: Raw): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    const match = /^custom_metadata((?:\[[^\]]*\])+)$/.exec(name);
    if (!match) continue;
    const keys = (match[1] as string).slice(1, -1).split("][");
    if (keys.some((key) => FORBIDDEN_KEYS.has(key))) continue;
    let at = found;
    for (const key of keys.slice(0, -1)) {
      if (typeof at[key] !== "object" || at[key] === null) at[key] = {};
      at = at[key] as Record<string, unknown>;
    }
    at[keys.at(-1) as string] = asList(value)[0] ?? "";
  }
  return found;
}

function metadata(raw: Raw, problems: string[]): object | undefined {
  const found = bracketMetadata(raw);
  const text = asList(raw["custom_metadata"])[0];
  if (text !== undefined) {
    try {
      const parsed = parseJson(text);
      if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw new TypeError("not an object");
      Object.assign(found, parsed);
    } catch {
      problems.push("custom_metadata must be an object, as custom_metadata[key]=value or as JSON");
    }
  }
  // PostgreSQL cannot store the character NUL, so nothing can contain it.
  if (JSON.stringify(found).includes("\\u0000")) problems.push("custom_metadata must not contain the character NUL");
  return Object.keys(found).length > 0 ? (metadataFilter(found) as object) : undefined;
}

/** @throws request.invalid naming every bad parameter */
export function parseListQuery(raw: Raw): ListFilters {
  const problems: string[] = [];
  const filters: ListFilters = {
    offset: integer(raw, "offset", 0, 0, problems),
    limit: Math.min(MOST_ITEMS, integer(raw, "limit", 1, DEFAULT_LIMIT, problems)),
  };
  const date = time(raw, "date", problems);
  const before = time(raw, "before_date", problems);
  const after = time(raw, "after_date", problems);
  const statuses = choices(raw, "status", JOB_STATUSES, problems);
  const kinds = choices(raw, "kind", JOB_KINDS, problems);
  const wanted = metadata(raw, problems);
  const search = asList(raw["search"])[0]?.replaceAll("\0", "").trim();
  if (search && search.length > MOST_SEARCH_CHARACTERS) {
    problems.push(`search must be shorter than or equal to ${MOST_SEARCH_CHARACTERS} characters`);
  }
  if (problems.length > 0) throw errors.invalidParameters(problems);
  if (search) filters.search = search;
  if (date) filters.date = new Date(Math.floor(date.getTime() / DAY_MILLISECONDS) * DAY_MILLISECONDS);
  if (before) filters.before = before;
  if (after) filters.after = after;
  if (statuses) filters.statuses = statuses;
  if (kinds) filters.kinds = kinds;
  if (wanted) filters.metadata = wanted;
  return filters;
}

/** The query of a page's address: all filters, and where the page begins. */
export function pageQuery(filters: ListFilters, raw: Raw, offset: number): string {
  const query = new URLSearchParams();
  for (const status of filters.statuses ?? []) query.append("status", status);
  for (const kind of filters.kinds ?? []) query.append("kind", kind);
  for (const name of ["date", "before_date", "after_date"]) {
    const text = asList(raw[name])[0];
    if (text !== undefined) query.append(name, text);
  }
  if (filters.search) query.append("search", filters.search);
  if (filters.metadata) query.append("custom_metadata", JSON.stringify(filters.metadata));
  query.append("offset", String(offset));
  query.append("limit", String(filters.limit));
  return query.toString();
}
