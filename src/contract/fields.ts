// Small building blocks that several bodies share.
import type { TProperties, TSchema, TSchemaOptions, TStringOptions } from "typebox";
import * as Type from "typebox";
import {
  MOST_ADDRESS_CHARACTERS,
  MOST_NAME_CHARACTERS,
  MOST_PHRASE_CHARACTERS,
  MOST_PROMPT_CHARACTERS,
} from "./bounds.ts";

export function Enum<const Value extends string>(values: readonly Value[], options: TSchemaOptions = {}) {
  return Type.Unsafe<Value>({ type: "string", enum: [...values], ...options });
}

/** PostgreSQL's largest integer. */
const HIGHEST_VERSION = 2_147_483_647;

/** Of something that several people change: a change names the version that it was made for. */
export const Version = (description: string) => Type.Integer({ minimum: 0, maximum: HIGHEST_VERSION, description });

export const Switch = (options: TSchemaOptions = {}) => Type.Optional(Type.Boolean({ default: false, ...options }));

/** Absent means true. It has no default, so that stored requests are as they were sent. */
export const Numerals = () =>
  Type.Optional(
    Type.Boolean({
      "x-absent": true,
      description:
        "Extension: false writes numbers, dates, sums and times in words, also where the model wrote digits; otherwise they are written in digits",
    }),
  );

/** Absent means keep. It has no default, so that stored requests are as they were sent. */
export const FillerWords = () =>
  Type.Optional(
    Enum(["keep", "drop", "mark"], {
      description:
        "Extension: words such as um and uh, where the model writes them. drop removes them, mark adds is_filler to the word. English, German, French, Spanish, Portuguese, Italian and Dutch",
    }),
  );

/** Absent means false, as with FillerWords. */
export const ProfanityFilter = () =>
  Type.Optional(
    Type.Boolean({
      "x-absent": false,
      description:
        "Extension: masks profane English words. Each keeps its first letter, and the others become asterisks (`s***`)",
    }),
  );

/** http or https; its host is checked when it is fetched. */
export const WebAddress = (options: TSchemaOptions = {}) =>
  Type.String({ format: "web-address", maxLength: MOST_ADDRESS_CHARACTERS, ...options });

/** http, https, rtsp, rtsps, rtmp, rtmps or srt; its host is checked when the service connects. */
export const SourceAddress = (options: TSchemaOptions = {}) =>
  Type.String({ format: "source-address", maxLength: MOST_ADDRESS_CHARACTERS, ...options });

/** An id, a model's name, a choice that is validated later. */
export const Name = (options: TStringOptions = {}) => Type.String({ maxLength: MOST_NAME_CHARACTERS, ...options });

/** One or a few words, as they are spoken or written. */
export const Phrase = (options: TStringOptions = {}) => Type.String({ maxLength: MOST_PHRASE_CHARACTERS, ...options });

/** Instructions or context for a language model. */
export const Prompt = (options: TStringOptions = {}) => Type.String({ maxLength: MOST_PROMPT_CHARACTERS, ...options });

/** The bytes of a file as a part of a form. */
export const FilePart = (options: TSchemaOptions = {}) =>
  Type.Unsafe<string>({ type: "string", format: "binary", ...options });

/** ISO 8601, in UTC. */
export const DateTime = () => Type.String({ format: "date-time" });

/** An object of times; its keys are names. */
export const DateTimes = (description: string) =>
  Type.Unsafe<Record<string, string>>({ type: "object", additionalProperties: DateTime(), description });

/** @returns the fields of these names */
export const fieldsOf = <Fields extends TProperties, Name extends keyof Fields>(
  fields: Fields,
  names: readonly Name[],
): Pick<Fields, Name> => Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<Fields, Name>;

/** A true or false of a query string. */
export const QuerySwitch = (options: TSchemaOptions = {}) => Type.Optional(Enum(["true", "false"], options));

/** A query parameter of the routes that accept unknown fields. */
export const StrictParameter = {
  strict: QuerySwitch({
    description:
      "Extension: true refuses unknown fields and parameters with 400. The default is PARLANCE_STRICT_REQUESTS",
  }),
};
/** The query of a route that accepts unknown fields and has no other parameters. */
export const StrictQuery = Type.Object(StrictParameter);

/** Free-form data of the caller; its size is limited once serialised. */
export const Metadata = (options: TSchemaOptions = {}) =>
  Type.Unsafe<Record<string, unknown>>({
    type: "object",
    additionalProperties: true,
    "x-metadata-limit": 2000,
    ...options,
  });

/** One sentence for each field of an accepted request that has no effect. */
export const Warnings = () =>
  Type.Optional(
    Type.Array(Type.String(), {
      description: "Extension: fields of the request that have no effect, most of them unknown",
    }),
  );

export const DEPRECATED = { deprecated: true };
export const BETA = { description: "[Beta]", "x-maturity": "beta" };
export const ALPHA = { description: "[Alpha]", "x-maturity": "alpha" };

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
