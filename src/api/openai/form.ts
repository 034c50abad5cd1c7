// The form of an audio request as OpenAI's clients send it. Every field is judged; the file is stored while it comes.
import type { FastifyRequest } from "fastify";
import { limitsOf } from "../../accounts/limits.ts";
import { errors } from "../../errors.ts";
import { RESPONSE_FORMATS, type ResponseFormat } from "../../openai/answer.ts";
import type { ApiContext } from "../context.ts";
import { LANGUAGES } from "../schemas/languages.ts";

export interface AudioForm {
  filename: string;
  size: number;
  model: string;
  language?: string;
  prompt: string;
  format: ResponseFormat;
  granularities: ("word" | "segment")[];
  withLogprobs: boolean;
  isStreamed: boolean;
}

/** Text that the database can carry. */
const clean = (text: string) => text.replaceAll("\0", "");

type Fields = Record<string, string[]>;

function judge(fields: Fields, problems: string[]): Omit<AudioForm, "filename" | "size"> {
  const one = (name: string) => fields[name]?.at(-1);
  const many = (name: string) => [...(fields[name] ?? []), ...(fields[`${name}[]`] ?? [])];
  const choice = <T extends string>(name: string, value: string, allowed: readonly T[], fallback: T): T => {
    if ((allowed as readonly string[]).includes(value)) return value as T;
    problems.push(`${name} must be one of the following values: ${allowed.join(", ")}; it is "${value}"`);
    return fallback;
  };
  const model = one("model") ?? "";
  if (model === "") problems.push("model is required: whisper-1, or the id of an installed model");
  const format = choice("response_format", one("response_format") ?? "json", RESPONSE_FORMATS, "json");
  const given = many("timestamp_granularities");
  const granularities = given.map((value) =>
    choice("timestamp_granularities", value, ["word", "segment"] as const, "segment"),
  );
  if (given.length > 0 && format !== "verbose_json") {
    problems.push("timestamp_granularities needs response_format verbose_json");
  }
  const language = one("language")?.toLowerCase().split(/[-_]/)[0];
  if (language !== undefined && language !== "" && !LANGUAGES.includes(language)) {
    problems.push(`language must be an ISO 639-1 code such as en or es; it is "${one("language")}"`);
  }
  const temperature = Number(one("temperature") ?? 0);
  if (!(temperature >= 0 && temperature <= 1)) problems.push("temperature must be a number from 0 to 1");
  const isStreamed = choice("stream", one("stream") ?? "false", ["true", "false"] as const, "false") === "true";
  if (isStreamed && !["json", "text", "diarized_json"].includes(format)) {
    problems.push("stream needs response_format json, text or diarized_json");
  }
  const include = many("include").map((value) => choice("include", value, ["logprobs"] as const, "logprobs"));
  return {
    model,
    prompt: one("prompt") ?? "",
    format,
    granularities: granularities.length > 0 ? granularities : ["segment"],
    withLogprobs: include.length > 0,
    isStreamed,
    ...(language ? { language } : {}),
  };
}

/**
 * Reads the form; its file is stored under `key`.
 * @throws request.invalid naming every bad field, file.too_large; nothing is stored then
 */
export async function readForm(request: FastifyRequest, key: string, context: ApiContext): Promise<AudioForm> {
  const { objects, settings } = context;
  if (!request.isMultipart())
    throw errors.wrongContentType(request.headers["content-type"] ?? "", "multipart/form-data");
  const { uploadBytes } = limitsOf(request.account, settings);
  const fields: Fields = {};
  let file: { filename: string; size: number } | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type === "field") {
        const name = part.fieldname;
        fields[name] = [...(Object.hasOwn(fields, name) ? (fields[name] ?? []) : []), clean(String(part.value))];
      } else if (part.fieldname === "file" && !file) {
        const filename = clean(part.filename || "audio");
        file = { filename, size: await objects.write(key, part.file, uploadBytes) };
      } else part.file.resume();
    }
    const problems: string[] = [];
    const judged = judge(fields, problems);
    if (!file) problems.unshift("file is required: send the recording as the multipart part named file");
    if (problems.length > 0 || !file) throw errors.invalidParameters(problems);
    return { ...file, ...judged };
  } catch (error) {
    await objects.remove(key);
    throw error;
  }
}
