// The filters of the lists, in every encoding that clients use: repeated, bracketed or comma-separated lists,
// metadata as brackets or as one JSON object, empty parameters that mean nothing.
import {
  MOST_FILTER_CHARACTERS,
  MOST_JOBS_OF_PAGE,
  MOST_SEARCH_CHARACTERS,
  MOST_TAG_CHARACTERS,
  MOST_TAGS,
} from "../../contract/bounds.ts";
import { JOB_KINDS, JOB_STATUSES, JOBS_OF_PAGE } from "../../contract/job.ts";
import { errors } from "../../platform/errors.ts";
import { metadataFilter, metadataPairs } from "../../platform/storage/db/metadata-filter.ts";
import type { JobKind, JobStatus } from "../../platform/storage/db/schema.ts";
import { shown } from "../../service/wire/parameters.ts";
import { parseJson } from "../validation/json.ts";
import { shownPath } from "../validation/text.ts";

/** Bound, because each pair is looked up for every job of the page. */
const MOST_FILTER_PAIRS = 50;
/** custom_metadata[a][b] has two. */
const MOST_KEYS = 20;

export interface ListFilters {
  offset: number;
  limit: number;
  date?: Date;
  before?: Date;
  after?: Date;
  statuses?: JobStatus[];
  kinds?: JobKind[];
  metadata?: object;
  tags?: string[];
  search?: string;
}

type Raw = Record<string, string | string[] | undefined>;

const DAY_MILLISECONDS = 86_400_000;

const asList = (value: string | string[] | undefined): string[] =>
  (value === undefined ? [] : Array.isArray(value) ? value : [value]).filter((text) => text !== "");

function choices<T extends string>(raw: Raw, name: string, allowed: readonly T[], problems: string[]): T[] | undefined {
  const given = asList(raw[name])
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

const ISO_DATE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** The years that four digits can write, which PostgreSQL and JavaScript print alike. No job is older or newer. */
const EARLIEST = Date.parse("0001-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");
const withinYears = (milliseconds: number) => new Date(Math.min(LATEST, Math.max(EARLIEST, milliseconds)));

export const endOfDay = (day: Date) => withinYears(day.getTime() + DAY_MILLISECONDS);

function time(raw: Raw, name: string, problems: string[]): Date | undefined {
  const text = asList(raw[name])[0];
  if (text === undefined) return undefined;
  // A plus sign in a query means a space unless it was encoded.
  const spelled = text.replace(/ (\d{2}:?\d{2})$/, "+$1");
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/i.test(spelled) || /^\d{4}-\d{2}-\d{2}$/.test(spelled);
  const milliseconds = ISO_DATE.test(spelled) ? Date.parse(hasZone ? spelled : `${spelled}Z`) : Number.NaN;
  if (Number.isNaN(milliseconds)) {
    problems.push(`${name} must be a valid ISO 8601 date string with a year of four digits`);
    return undefined;
  }
  return withinYears(milliseconds);
}

const FORBIDDEN_KEYS = new Set(["__proto__", "constructor", "prototype"]);

const BRACKETS = /^custom_metadata((?:\[[^\]]*\])+)$/;

function bracketMetadata(raw: Raw, problems: string[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (!name.startsWith("custom_metadata[")) continue;
    const keys = BRACKETS.exec(name)?.[1]?.slice(1, -1).split("][");
    if (!keys || keys.some((key) => FORBIDDEN_KEYS.has(key))) {
      problems.push(
        `custom_metadata must have its keys in brackets, as custom_metadata[key]=value; the name is ${shown(name)}`,
      );
      continue;
    }
    if (new Set(asList(value)).size > 1) problems.push(`${shownPath([name])} must be sent once`);
    if (keys.length > MOST_KEYS) {
      problems.push(`custom_metadata must not be nested deeper than ${MOST_KEYS} keys`);
      continue;
    }
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
  const found = bracketMetadata(raw, problems);
  const text = asList(raw["custom_metadata"])[0];
  if (text !== undefined) {
    try {
      const parsed = parseJson(text);
      if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw new TypeError("not an object");
      Object.assign(found, parsed);
    } catch (thrown) {
      const { fields = [] } = thrown as { fields?: string[] };
      problems.push(...fields.map((sentence) => `custom_metadata.${sentence}`));
      if (fields.length === 0) {
        problems.push("custom_metadata must be an object, as custom_metadata[key]=value or as JSON");
      }
    }
  }
  if (Object.keys(found).length === 0) return undefined;
  const characters = JSON.stringify(found).length;
  if (characters > MOST_FILTER_CHARACTERS) {
    problems.push(
      `custom_metadata must not be longer than ${MOST_FILTER_CHARACTERS} characters once serialised; it has ${characters}`,
    );
    return undefined;
  }
  const filter = metadataFilter(found) as object;
  const pairs = metadataPairs(filter).length;
  if (pairs > MOST_FILTER_PAIRS) {
    problems.push(`custom_metadata must not have more than ${MOST_FILTER_PAIRS} values in a filter; it has ${pairs}`);
  }
  return filter;
}

const SINGLE = ["offset", "limit", "date", "before_date", "after_date", "search", "custom_metadata"];

/** A parameter that takes one value must not have two: the second one would have no effect. */
function repeatedParameters(raw: Raw): string[] {
  const hasSeveral = (name: string) => new Set(asList(raw[name])).size > 1;
  return SINGLE.filter(hasSeveral).map((name) => `${name} must be sent once`);
}

/** @throws request.invalid naming every bad parameter */
export function parseListQuery(raw: Raw): ListFilters {
  const problems = repeatedParameters(raw);
  const filters: ListFilters = {
    offset: integer(raw, "offset", 0, 0, problems),
    limit: Math.min(MOST_JOBS_OF_PAGE, integer(raw, "limit", 1, JOBS_OF_PAGE, problems)),
  };
  const date = time(raw, "date", problems);
  const before = time(raw, "before_date", problems);
  const after = time(raw, "after_date", problems);
  const statuses = choices(raw, "status", JOB_STATUSES, problems);
  const kinds = choices(raw, "kind", JOB_KINDS, problems);
  const wanted = metadata(raw, problems);
  const tags = tagsOf(raw, problems);
  const search = asList(raw["search"])[0]?.trim();
  if (search && search.length > MOST_SEARCH_CHARACTERS) {
    problems.push(`search must be shorter than or equal to ${MOST_SEARCH_CHARACTERS} characters`);
  }
  if (problems.length > 0) throw errors.invalidParameters(problems);
  if (search) filters.search = search;
  if (tags) filters.tags = tags;
  if (date) filters.date = withinYears(Math.floor(date.getTime() / DAY_MILLISECONDS) * DAY_MILLISECONDS);
  if (before) filters.before = before;
  if (after) filters.after = after;
  if (statuses) filters.statuses = statuses;
  if (kinds) filters.kinds = kinds;
  if (wanted) filters.metadata = wanted;
  return filters;
}

/** A tag may contain a comma. */
function tagsOf(raw: Raw, problems: string[]): string[] | undefined {
  const given = asList(raw["tag"]);
  if (given.length > MOST_TAGS) problems.push(`tag must contain no more than ${MOST_TAGS} elements`);
  if (given.some((tag) => tag.length > MOST_TAG_CHARACTERS))
    problems.push(`tag must be shorter than or equal to ${MOST_TAG_CHARACTERS} characters`);
  return given.length > 0 ? given : undefined;
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
  for (const tag of filters.tags ?? []) query.append("tag", tag);
  if (filters.search) query.append("search", filters.search);
  if (filters.metadata) query.append("custom_metadata", JSON.stringify(filters.metadata));
  query.append("offset", String(offset));
  query.append("limit", String(filters.limit));
  return query.toString();
}
