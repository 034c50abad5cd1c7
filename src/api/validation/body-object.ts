import { errors } from "../../platform/errors.ts";

/** The fields of a JSON body that no schema has validated. @throws request.invalid */
export function bodyObject(body: unknown): Record<string, unknown> {
  const given = body ?? {};
  if (typeof given !== "object" || Array.isArray(given)) throw errors.invalidParameters(["body must be a JSON object"]);
  return given as Record<string, unknown>;
}
