// Parameters of the addresses and start messages of telephony platforms: names and texts. Each names a field of POST /v2/live by its path,
// such as language_config.languages. Other parameters are the caller's own.
import { LiveBody } from "../../../../contract/live.ts";
import { numberIn } from "../../../wire/parameters.ts";
import { isFields, isTooDeep, shown } from "../text-message.ts";

export type Parameter = readonly [name: string, value: string];

/** As many as an address of the greatest length holds with short names. */
const MOST_PARAMETERS = 200;
const STREAM_DECIDES = "the stream decides it";
/** Fields that a stream sets itself. */
const NOT_OFFERED: Readonly<Record<string, string>> = {
  encoding: STREAM_DECIDES,
  bit_depth: STREAM_DECIDES,
  sample_rate: STREAM_DECIDES,
  channels: STREAM_DECIDES,
  custom_metadata: "the service fills it with the ids of the call and with parameters that are no options",
  messages_config: "the interface decides which messages it has; callback_config selects those of callbacks",
  source: "the call is the source",
  region: "the address that the client connects to decides it",
};

interface Schema {
  type?: string;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
}

/** @property others  parameters that are no fields, in their order */
export interface ReadParameters {
  given: Record<string, unknown>;
  others: Parameter[];
  problems: string[];
}

/** @returns the text itself if it is not JSON: the schema then refuses it */
function fromJson(text: string): unknown {
  if (isTooDeep(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The value of a field by its schema. Booleans and languages stay texts, which the judgement of the request accepts. */
function fieldValue(text: string, { type, anyOf }: Schema): unknown {
  const types = anyOf ? anyOf.map((one) => one.type) : [type];
  if (types.includes("object") || (types.includes("array") && text.trimStart().startsWith("["))) return fromJson(text);
  if (types.includes("array")) {
    return text
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "");
  }
  const isNumber = types.includes("number") || types.includes("integer");
  return (isNumber ? numberIn(text) : undefined) ?? text;
}

/** @returns undefined for a path that names no field */
function schemaAt(path: readonly string[]): Schema | undefined {
  let schema: Schema | undefined = LiveBody as Schema;
  for (const name of path) {
    const properties: Schema["properties"] = schema?.properties;
    schema = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  }
  return schema;
}

/** @returns false if the path has a value already */
function put(target: Record<string, unknown>, path: readonly string[], value: unknown): boolean {
  const [name = "", ...rest] = path;
  if (rest.length === 0) {
    if (Object.hasOwn(target, name)) return false;
    target[name] = value;
    return true;
  }
  if (!Object.hasOwn(target, name)) target[name] = {};
  const inner = target[name];
  return isFields(inner) ? put(inner, rest, value) : false;
}

/** @returns a sentence if a field of POST /v2/live cannot be set by a stream */
export function notOffered(name: string): string | undefined {
  return Object.hasOwn(NOT_OFFERED, name) ? `${name} must not be set: ${NOT_OFFERED[name]}` : undefined;
}

/** Never throws. */
export function readParameters(parameters: readonly Parameter[]): ReadParameters {
  const read: ReadParameters = { given: {}, others: [], problems: [] };
  if (parameters.length > MOST_PARAMETERS) {
    read.problems.push(`there must not be more than ${MOST_PARAMETERS} parameters; there are ${parameters.length}`);
    return read;
  }
  for (const [name, text] of parameters) {
    const path = name.split(".");
    const schema = schemaAt(path);
    const refused = notOffered(path[0] as string);
    // The first name decides: custom_metadata.a is refused too, although the schema has no such path.
    if (refused !== undefined) read.problems.push(refused);
    else if (!schema) read.others.push([name, text]);
    else if (!put(read.given, path, fieldValue(text, schema))) read.problems.push(`${shown(name)} must be given once`);
  }
  return read;
}
