// Translation by the models of this machine: finds routes over installed directions, and translates sentences in batches.
import { PARLANCE } from "../../../platform/command-prefix.ts";
import { ParlanceError } from "../../../platform/errors.ts";
import { TRANSLATION_ENGINE } from "../../../speech/engines/bergamot/engine.ts";
import { translateTexts } from "../../../speech/translation/process/translator.ts";
import { type Direction, type Route, routeOf } from "../../../speech/translation/routes.ts";
import { type InstalledModel, ModelStore } from "../../models/store.ts";
import { AddonFailed } from "../addon-error.ts";
import { withProviderSlot } from "../turns.ts";
import type { Providers } from "./providers.ts";

/** Sentences in one request: 64 reach 93 % of the speed of 200, and accounts still take turns about every second. */
const BATCH = 64;

export interface InstalledDirection extends Direction {
  id: string;
  folder: string;
}

const isDirection = ({ engine, languages, folder }: InstalledModel) =>
  engine === TRANSLATION_ENGINE && languages.length === 2 && folder !== undefined;

let store: ModelStore | undefined;

async function directionsOf(folder: string): Promise<InstalledDirection[]> {
  if (store?.folder !== folder) store = new ModelStore(folder);
  return (await store.listTranslation()).filter(isDirection).map(({ id, languages, folder: own }) => ({
    id,
    source: languages[0] as string,
    target: languages[1] as string,
    folder: own as string,
  }));
}

/** @returns undefined if the installed models do not cover the pair */
export async function localRoute(
  { translationModels }: Providers,
  source: string,
  target: string,
): Promise<Route<InstalledDirection> | undefined> {
  return translationModels === undefined ? undefined : routeOf(await directionsOf(translationModels), source, target);
}

function explained(thrown: unknown, route: Route<InstalledDirection>): unknown {
  if (!(thrown instanceof ParlanceError) || thrown.code === "work.aborted") return thrown;
  const ids = route.map(({ id }) => id).join(" and ");
  if (thrown.code === "process.timeout") return new AddonFailed(`The translation did not end in time (${ids})`);
  return new AddonFailed(
    `The translation process failed. Check its model: ${PARLANCE} models verify ${route[0].id} (in use: ${ids})`,
  );
}

/**
 * @param texts         HTML
 * @param isBackground  for a recording: recognition has a higher priority
 * @throws AddonFailed, work.aborted
 */
export async function translateLocally(
  route: Route<InstalledDirection>,
  texts: readonly string[],
  isBackground: boolean,
): Promise<string[]> {
  const folders = route.map(({ folder }) => folder) as unknown as readonly [string];
  const translated: string[] = [];
  for (let at = 0; at < texts.length; at += BATCH) {
    const request = { folders, texts: texts.slice(at, at + BATCH), isBackground };
    try {
      translated.push(...(await withProviderSlot((signal, tenant) => translateTexts(tenant, request, signal))));
    } catch (thrown) {
      throw explained(thrown, route);
    }
  }
  return translated;
}
