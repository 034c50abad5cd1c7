// Compiles the validators of all schemas. They coerce nothing and fill in defaults. Two passes bound their time and their output for
// any body: the first pass ends at the first problem; the second pass lists all problems and runs only on small bodies.
import buildCompiler, { type ValidatorFactory } from "@fastify/ajv-compiler";
import type { AnySchema } from "ajv";
import type { AnyValidateFunction } from "ajv/dist/core.js";
import type { FastifyServerOptions } from "fastify";
import { LANGUAGE_MARK } from "../../contract/language-fields.ts";
import { MOST_FORMS } from "../../contract/vocabulary-size.ts";
import { isSourceAddress, isWebAddress } from "../../platform/net/address-rules.ts";
import { validationSentences } from "./sentences.ts";

/** @returns whether a JSON value holds more than `most` values; it looks at no more than that */
function hasMoreValuesThan(value: unknown, most: number): boolean {
  let count = 0;
  const look = (inner: unknown): void => {
    count++;
    if (typeof inner !== "object" || inner === null) return;
    for (const key in inner) {
      if (count > most) return;
      look((inner as Record<string, unknown>)[key]);
    }
  };
  look(value);
  return count > most;
}

type AjvOptions = NonNullable<FastifyServerOptions["ajv"]>;

export const validatorOptions: AjvOptions = {
  // verbose: failures carry the value, which messages about languages quote.
  customOptions: { allErrors: false, coerceTypes: false, removeAdditional: false, useDefaults: true, verbose: true },
  plugins: [
    (ajv) => {
      ajv.addFormat("web-address", isWebAddress);
      ajv.addFormat("source-address", isSourceAddress);
      ajv.addKeyword({ keyword: "x-maturity", schemaType: "string" });
      ajv.addKeyword({ keyword: "x-absent", schemaType: "boolean" });
      ajv.addKeyword({ keyword: LANGUAGE_MARK, schemaType: "string" });
      ajv.addKeyword({
        keyword: "x-metadata-limit",
        type: "object",
        schemaType: "number",
        error: { message: ({ schema }) => `must not be longer than ${schema} characters once serialised` },
        validate: (limit: number, value: object) => JSON.stringify(value).length <= limit,
      });
      ajv.addKeyword(MOST_FORMS);
      return ajv;
    },
  ],
};

/**
 * Values (of any kind, at any depth) of a body of which all problems are named. A problem costs about 200 bytes and 1 µs, so that
 * all of them take a few milliseconds at most.
 */
const MOST_VALUES_LISTED = 2_000;

const compilerOf = buildCompiler();

/** Makes a route's validators when they are first needed: compiling all of them delays a start. */
export const validateLazily: ValidatorFactory =
  (...[schemas, options]: Parameters<typeof compilerOf>) =>
  (route: AnySchema) => {
    const withAllErrors = {
      ...options,
      customOptions: { ...options?.customOptions, allErrors: true },
    } as typeof options;
    let first: AnyValidateFunction | undefined;
    let all: AnyValidateFunction | undefined;
    const validate = (data: unknown) => {
      first ??= compilerOf(schemas, options)(route);
      const isValid = first(data);
      validate.errors = first.errors;
      if (isValid || hasMoreValuesThan(data, MOST_VALUES_LISTED)) return isValid;
      all ??= compilerOf(schemas, withAllErrors)(route);
      all(data);
      validate.errors = all.errors;
      return false;
    };
    validate.errors = null as AnyValidateFunction["errors"];
    return validate as AnyValidateFunction;
  };

/** @returns the problems of a value that is no body of a route, a sentence each; none if the schema allows it */
export function problemFinder(schema: object): (value: unknown) => string[] {
  const compile = validateLazily({}, validatorOptions as never) as unknown as (route: object) => AnyValidateFunction;
  const validate = compile({ schema });
  return (value) => (validate(value) === true ? [] : validationSentences(validate.errors ?? []));
}
