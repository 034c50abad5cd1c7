// Runs one add-on of a live session, over a final or the whole transcript.
import { type AddonInput, runAddon } from "../../addon.ts";
import { withLanguageModel } from "../../providers/local-language-model.ts";
import { findAddon } from "../../registry.ts";
import type { ResultResponse } from "../message.ts";

const TIMEOUT_MILLISECONDS = 60_000;

export async function runOneAddon({ name, ...input }: AddonInput & { name: string }): Promise<ResultResponse> {
  const addon = findAddon(name);
  if (!addon) throw new Error(`no add-on ${name}`);
  // Live messages do not wait for a model of this machine.
  const withModel = input.isRealtime ? input : { ...input, providers: await withLanguageModel(input.providers) };
  return { kind: "answer", answer: await runAddon(addon, withModel, TIMEOUT_MILLISECONDS) };
}
