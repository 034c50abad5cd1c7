// The OpenAPI document of the service.
import { signal } from "@preact/signals";
import { inlineSchemas } from "../../src/api/description/shared-schemas.ts";
import { get } from "./api.ts";
import type { Schema } from "./parts/schema-form.tsx";

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
}

const document = signal<Document | undefined>(undefined);
/** Why the document is unavailable. */
export const documentProblem = signal("");

export async function loadDocument(): Promise<void> {
  if (document.value) return;
  try {
    document.value = inlineSchemas(await get<Document>("/openapi.json"));
    documentProblem.value = "";
  } catch {
    documentProblem.value =
      "The service hides its description (PARLANCE_DOCS is false): options cannot be selected here.";
  }
}

/** Schema of an operation's JSON body. */
export function bodySchema(method: string, path: string): Schema | undefined {
  return document.value?.paths[path]?.[method]?.requestBody?.content["application/json"]?.schema;
}
