// The models of the service.
import { signal } from "@preact/signals";
import { get } from "./api.ts";
import type { SpeechModel, SpeechModels } from "./shapes.ts";

/** Undefined until they are loaded. */
export const models = signal<readonly SpeechModel[] | undefined>(undefined);

export async function loadModels(): Promise<void> {
  models.value = (await get<SpeechModels>("/v2/models")).items;
}
