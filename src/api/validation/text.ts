// The boundary for text of requests: whatever the database cannot hold is refused with the field's path, before any handler runs.
import type { FastifyRequest } from "fastify";
import { firstOf } from "../../contract/first-of.ts";
import { errors, MOST_PROBLEMS } from "../../platform/errors.ts";
import { beginningOf, storableText, textFault } from "../../platform/storable.ts";

const SHOWN_PATH_CHARACTERS = 200;

/** A field's dotted path as messages show it: a client can choose keys of any length and content. */
export function shownPath(parts: readonly string[]): string {
  return beginningOf(storableText(parts.join(".")), SHOWN_PATH_CHARACTERS);
}

/** The name of a list: `keywords` of `keywords[]` and `keywords[0]`. Any other name stays, such as `chunking_strategy[type]`. */
export const fieldName = (given: string): string => given.replace(/\[\d*\]$/, "");

/**
 * @returns a sentence for each text of `value` that cannot be stored, at most MOST_PROBLEMS of them: the last one counts the others.
 *   Takes time that is linear in the value.
 */
export function textProblems(value: unknown): string[] {
  const problems: string[] = [];
  const path: string[] = [];
  let count = 0;
  const note = (sentence: () => string) => {
    if (++count <= MOST_PROBLEMS) problems.push(sentence());
  };
  const look = (inner: unknown): void => {
    if (typeof inner === "string") {
      const fault = textFault(inner);
      if (fault) note(() => `${shownPath(path) || "body"} ${fault}`);
    } else if (typeof inner === "object" && inner !== null) {
      for (const key in inner) {
        path.push(key);
        const fault = textFault(key);
        if (fault) note(() => `${shownPath(path)} ${fault.replace("must", "is a name that must")}`);
        look((inner as Record<string, unknown>)[key]);
        path.pop();
      }
    }
  };
  look(value);
  if (count <= MOST_PROBLEMS) return problems;
  const { first } = firstOf(problems, MOST_PROBLEMS - 1);
  return [...first, `${count - first.length} more texts must not contain such characters`];
}

/**
 * More parameters than any list of this interface takes: a metadata filter has at most 50. Every one is looked at several times.
 */
const MOST_QUERY_PARAMETERS = 200;

/**
 * Checks the address of a request; bodies are checked by `parseJson` and by `form-parts.ts`.
 * @throws request.not_found for a path that can name nothing; request.invalid for a query
 */
export function checkAddress({ params, query }: Pick<FastifyRequest, "params" | "query">): void {
  if (textProblems(params ?? {}).length > 0) throw errors.notFound("What this address names");
  const given = Object.values((query ?? {}) as Record<string, string | string[]>).flat().length;
  if (given > MOST_QUERY_PARAMETERS) {
    throw errors.invalidParameters([
      `query must not have more than ${MOST_QUERY_PARAMETERS} parameters; it has ${given}`,
    ]);
  }
  const problems = textProblems(query ?? {});
  if (problems.length > 0) throw errors.invalidParameters(problems);
}
