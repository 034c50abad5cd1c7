// The OpenAPI document of the service.
import { computed, signal } from "@preact/signals";
import { inlineSchemas } from "../../src/api/description/shared-schemas.ts";
import { get } from "./api.ts";
import { t } from "./language/language.ts";
import type { Schema } from "./parts/schema.ts";

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
}

const document = signal<Document | undefined>(undefined);
const isHidden = signal(false);
/** Shown in place of the options while the document is unavailable. */
export const documentHint = computed(() => (isHidden.value ? t.problems.noDescription : t.frame.loading));

export async function loadDocument(): Promise<void> {
  if (document.value) return;
  try {
    document.value = inlineSchemas(await get<Document>("/openapi.json"));
    isHidden.value = false;
  } catch {
    isHidden.value = true;
  }
}

/** Schema of an operation's JSON body. */
export function bodySchema(method: string, path: string): Schema | undefined {
  return document.value?.paths[path]?.[method]?.requestBody?.content["application/json"]?.schema;
}
