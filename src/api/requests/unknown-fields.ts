// Fields and query parameters that a route does not have. Routes that existing clients use (config.acceptsUnknownFields) name them in their
// answer; every other route refuses them.
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { errors } from "../../platform/errors.ts";
import type { Api } from "../context.ts";
import { prepare, type ReadSchema } from "../validation/prepare.ts";
import { fieldName } from "../validation/text.ts";
import { UnknownFields } from "../validation/unknown-fields.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Unknown fields of the request; the handler of a route that accepts them lists them in the answer. */
    unknownFields: UnknownFields;
    /** Unknown fields are refused, also where the route accepts them otherwise. */
    isStrict: boolean;
  }
  interface FastifyContextConfig {
    acceptsUnknownFields?: boolean;
  }
}

/** Requests of the interface; pages and probes may carry any parameter. */
const OF_INTERFACE = /^\/(v[123]\/|asr\b|detect-language\b)/;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const propertiesOf = (schema: unknown) => Object.keys((schema as ReadSchema | undefined)?.properties ?? {});

/** The one parameter that is an object: its keys are in brackets. */
const OBJECT = "custom_metadata";

/** Entries of lists become values of the parameter before the bracket. */
function joinEntries(query: Record<string, unknown>, known: readonly string[]): void {
  for (const [name, value] of Object.entries(query)) {
    const parameter = fieldName(name);
    if (parameter === name || parameter === OBJECT || !known.includes(parameter)) continue;
    query[parameter] = [query[parameter] ?? [], value].flat();
    delete query[name];
  }
}

function noteQuery(request: FastifyRequest, unknown: UnknownFields): void {
  const query = (request.query ?? {}) as Record<string, unknown>;
  const known = propertiesOf(request.routeOptions.schema?.querystring);
  joinEntries(query, known);
  for (const [name, value] of Object.entries(query)) {
    const isKey = known.includes(OBJECT) && name.startsWith(`${OBJECT}[`);
    if (!isKey && !known.includes(name)) unknown.note([], name, value, known);
  }
}

function noteBody({ body, routeOptions }: FastifyRequest, unknown: UnknownFields): void {
  // A stream is the content of a file.
  if (!isObject(body) || body instanceof Readable) return;
  const schema = routeOptions.schema?.body as ReadSchema | undefined;
  // A schema without properties takes any object; a route without a schema takes no body.
  if (schema === undefined) for (const [name, value] of Object.entries(body)) unknown.note([], name, value, []);
  else prepare(schema, body, unknown);
}

/**
 * The unknown fields of a request that is accepted, a sentence each.
 * @throws request.invalid where the request is strict
 */
export function ignoredFields({ unknownFields, isStrict }: FastifyRequest): string[] {
  const problems = isStrict ? unknownFields.problems() : [];
  if (problems.length > 0) throw errors.invalidParameters(problems);
  return unknownFields.warnings();
}

/** @param isStrict  unless the request says otherwise */
export function addUnknownFields(app: Api, isStrict: boolean): void {
  app.decorateRequest("isStrict", false);
  app.decorateRequest("unknownFields", undefined as unknown as UnknownFields);
  app.addHook("preValidation", async (request) => {
    const unknown = new UnknownFields();
    request.unknownFields = unknown;
    const { strict } = (request.query ?? {}) as { strict?: unknown };
    request.isStrict = strict === undefined ? isStrict : strict === "true";
    if (request.is404 || request.method === "OPTIONS" || !OF_INTERFACE.test(request.url)) return;
    noteQuery(request, unknown);
    // Handlers of these routes prepare the body, and record its unknown fields.
    if (request.routeOptions.config.acceptsUnknownFields) return;
    noteBody(request, unknown);
    const problems = unknown.problems();
    if (problems.length > 0) throw errors.invalidParameters(problems);
  });
}
