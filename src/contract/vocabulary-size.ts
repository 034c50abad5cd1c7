import type { KeywordDefinition } from "ajv";

/**
 * Ways of writing or saying something that a vocabulary or a spelling dictionary names: its entries and the variants of each. Every
 * word that is recognised is compared with all of them.
 * @param value  list of words, of {value, pronunciations} and of {from}, or an object of lists
 */
function countForms(value: object): number {
  let count = 0;
  for (const entry of Object.values(value)) {
    const { pronunciations, from } = (entry ?? {}) as { pronunciations?: unknown; from?: unknown };
    const variants = Array.isArray(entry) ? entry : (pronunciations ?? from);
    count += 1 + (Array.isArray(variants) ? variants.length : 0);
  }
  return count;
}

/** Keyword of schemas: the most forms of a list or an object. */
export const MOST_FORMS: KeywordDefinition = {
  keyword: "x-most-forms",
  type: ["array", "object"],
  schemaType: "number",
  error: { message: ({ schema }) => `must not have more than ${schema} entries and variants together` },
  validate: (limit: number, value: object) => countForms(value) <= limit,
};
