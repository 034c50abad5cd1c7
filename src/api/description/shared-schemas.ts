// Schemas of the OpenAPI document in one place each: generators of clients make one type of each name under components.schemas, and one
// for every place of a schema that is written out.
type Json = unknown;
type JsonObject = Record<string, Json>;

const REFERENCE = "#/components/schemas/";

const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function mapValues(value: Json, change: (value: Json) => Json): Json {
  if (Array.isArray(value)) return value.map(change);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item)]));
}

/** Keywords of the place where a schema is used: they stay beside the reference, as JSON Schema 2020-12 allows. */
const OF_PLACE = ["description", "default", "deprecated", "x-maturity", "x-absent"];

function withoutPlace(schema: JsonObject): { shared: JsonObject; ofPlace: JsonObject } {
  const isOfPlace = ([name]: [string, Json]) => OF_PLACE.includes(name);
  const entries = Object.entries(schema);
  return {
    shared: Object.fromEntries(entries.filter((entry) => !isOfPlace(entry))),
    ofPlace: Object.fromEntries(entries.filter(isOfPlace)),
  };
}

/**
 * @param paths  of the document; schemas with a title are replaced by references to it
 * @returns the schemas by their titles. Of different schemas with one title, the later ones stay where they are.
 */
export function shareSchemas(paths: Json): { paths: Json; schemas: JsonObject } {
  const schemas = new Map<string, { schema: JsonObject; text: string }>();
  const visit = (value: Json): Json => {
    const visited = mapValues(value, visit);
    if (!isObject(visited) || typeof visited["title"] !== "string") return visited;
    const { title } = visited;
    const { shared, ofPlace } = withoutPlace(visited);
    const text = JSON.stringify(shared);
    const known = schemas.get(title);
    if (known && known.text !== text) return visited;
    schemas.set(title, { schema: shared, text });
    return { $ref: `${REFERENCE}${title}`, ...ofPlace };
  };
  const changed = visit(paths);
  const sorted = [...schemas].sort(([left], [right]) => (left < right ? -1 : 1));
  return { paths: changed, schemas: Object.fromEntries(sorted.map(([title, { schema }]) => [title, schema])) };
}

/** A document of `shareSchemas` with every schema written out again, for programs that do not follow references. */
export function inlineSchemas<Document>(document: Document): Document {
  const schemas = (document as { components?: { schemas?: JsonObject } }).components?.schemas ?? {};
  const visit = (value: Json): Json => {
    if (!isObject(value) || typeof value["$ref"] !== "string" || !value["$ref"].startsWith(REFERENCE)) {
      return mapValues(value, visit);
    }
    const { $ref: reference, ...ofPlace } = value;
    const found = schemas[(reference as string).slice(REFERENCE.length)];
    return { ...(visit(found) as JsonObject), ...ofPlace };
  };
  return visit(document) as Document;
}
