// The form of an audio request as OpenAI's clients send it. The file is stored while it is received.
import type { FastifyRequest } from "fastify";
import { errors } from "../../platform/errors.ts";
import { limitsOf } from "../../service/accounts/limits.ts";
import type { ApiContext } from "../context.ts";
import { formParts } from "../form-parts.ts";
import { FileOfForm, type StoredPart } from "../receive-file.ts";
import { fieldName, shownPath } from "../validation/text.ts";
import { type AudioFields, type FormFields, judgeFields, noteUnknown } from "./fields.ts";
import { MOST_KNOWN_SPEAKERS, MOST_REFERENCE_BYTES } from "./known-speakers.ts";

export interface AudioForm extends AudioFields, StoredPart {}

const FILE = "file";

/** Recordings of known speakers arrive as data URLs. */
const REFERENCES = {
  isLarge: (name: string) => fieldName(name) === "known_speaker_references",
  bytes: MOST_REFERENCE_BYTES,
  count: MOST_KNOWN_SPEAKERS,
};

/**
 * Reads the form; its file is stored under `key`. Its warnings also name unknown fields and parameters.
 * @throws request.invalid naming every bad field, file.too_large; nothing is stored then
 */
export async function readForm(
  request: FastifyRequest,
  key: string,
  context: Pick<ApiContext, "objects" | "settings" | "space">,
): Promise<AudioForm> {
  const { objects, settings } = context;
  if (!request.isMultipart()) {
    const given = request.headers["content-type"] ?? "";
    throw errors.wrongContentType(given, "multipart/form-data with the recording as the part named file");
  }
  const fields: FormFields = new Map();
  const file = new FileOfForm(context, key, limitsOf(request.account, settings).uploadBytes);
  const problems: string[] = [];
  try {
    for await (const part of formParts(request, REFERENCES)) {
      if (part.kind === "field") {
        const name = fieldName(part.name);
        const values = fields.get(name);
        if (values) values.push(part.value);
        else fields.set(name, [part.value]);
      } else if (part.name === FILE) await file.take(part);
      else {
        part.content.resume();
        problems.push(`${shownPath([part.name])} must not be a file; send the recording as the part named ${FILE}`);
      }
    }
    noteUnknown(fields, request.unknownFields);
    if (request.isStrict) problems.push(...request.unknownFields.problems());
    const judged = judgeFields(fields, problems);
    const stored = file.result(FILE, problems);
    if (problems.length > 0 || !stored) {
      // A misspelt name may be why a field is missing.
      throw errors.invalidParameters(request.isStrict ? problems : [...problems, ...request.unknownFields.warnings()]);
    }
    return { ...stored, ...judged, warnings: [...judged.warnings, ...request.unknownFields.warnings()] };
  } catch (error) {
    await objects.remove(key);
    throw error;
  }
}
