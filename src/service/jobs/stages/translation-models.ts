// Translation models that a job needs: fetched before its add-ons run, where they may be. Without them the add-on says in its own
// result what is missing.
import { missingModels } from "../../models/translation-needs.ts";
import { tryToFetch } from "./fetch-model.ts";
import type { StageContext } from "./stage.ts";

/**
 * Fetches what a job's translation lacks; a model that cannot be fetched is left out.
 * @param sources  languages that are spoken
 * @throws an error that passes
 */
export async function fetchTranslationModels(
  context: StageContext,
  sources: readonly string[],
  targets: readonly string[],
): Promise<void> {
  const { services, signal, progress } = context;
  const { models, supply, speech } = services;
  if (!supply || !speech.fetchModels) return;
  const wanted = new Set<string>();
  for (const source of sources) {
    for (const target of targets) for (const id of await missingModels(models, source, target)) wanted.add(id);
  }
  let done = 0;
  for (const id of wanted) {
    signal.throwIfAborted();
    const onShare = (share: number) => progress((done + share) / wanted.size);
    await tryToFetch(id, supply, context, onShare, "a translation model could not be fetched");
    done++;
  }
}
