// Which translation models a pair of languages needs, and which of them are missing here.
import { type Direction, routeOf } from "../../speech/translation/routes.ts";
import type { ModelStore } from "./store.ts";
import { isPublished, PUBLISHED_DIRECTIONS, translationId } from "./translation-catalogue.ts";

async function installedDirections(models: ModelStore): Promise<Direction[]> {
  return (await models.listTranslation()).map(({ languages: [source = "", target = ""] }) => ({ source, target }));
}

/** @returns source languages that installed models translate into the target */
export async function translatedBy(
  models: ModelStore,
  sources: readonly string[],
  target: string,
): Promise<Set<string>> {
  const directions = await installedDirections(models);
  return new Set(sources.filter((source) => routeOf(directions, source, target) !== undefined));
}

/** Names of models that are published and missing for a pair; none where it is complete or not published. */
export async function missingModels(models: ModelStore, source: string, target: string): Promise<string[]> {
  const installed = await installedDirections(models);
  if (source === target || routeOf(installed, source, target)) return [];
  const route = routeOf([...installed, ...PUBLISHED_DIRECTIONS], source, target) ?? [];
  return route
    .filter((one) => !installed.some(({ source: from, target: to }) => from === one.source && to === one.target))
    .filter((one) => isPublished(one.source, one.target))
    .map((one) => translationId(one.source, one.target));
}
