// The translation models in `parlance models list`.
import { PARLANCE } from "../platform/command-prefix.ts";
import { fetchRegistry, type RegisteredDirection } from "../service/models/mozilla-registry.ts";
import type { InstalledModel } from "../service/models/store.ts";
import { PUBLISHED_DIRECTIONS, TRANSLATION_LICENCE } from "../service/models/translation-catalogue.ts";
import { TRANSLATION_ENGINE } from "../speech/engines/bergamot/engine.ts";
import { printJson, printTable } from "./table.ts";

const ENGLISH = "en";

export const isTranslation = ({ engine }: InstalledModel): boolean => engine === TRANSLATION_ENGINE;

export function printPublishedDirections(): void {
  const into = PUBLISHED_DIRECTIONS.filter(({ target }) => target === ENGLISH).map(({ source }) => source);
  const from = PUBLISHED_DIRECTIONS.filter(({ source }) => source === ENGLISH).map(({ target }) => target);
  process.stdout.write(
    [
      "",
      `Translation models by Mozilla, 17 to 44 MB each, ${TRANSLATION_LICENCE} (${PARLANCE} models add translate-SOURCE-TARGET):`,
      `  into English from ${into.join(" ")}`,
      `  from English into ${from.join(" ")}`,
      `  Other pairs go by way of English. Their sizes and SHA-256: ${PARLANCE} models list --translation`,
      "",
    ].join("\n"),
  );
}

const sizeOf = ({ files }: RegisteredDirection) => {
  const known = files.every(({ bytes }) => bytes !== undefined);
  return known ? `${Math.round(files.reduce((sum, { bytes = 0 }) => sum + bytes, 0) / 1e6)} MB` : "not stated";
};

/** Every direction as the registry has it now. @throws models.fetch_failed, models.refused */
export async function listRegistry(base: string, json: boolean): Promise<void> {
  const directions = await fetchRegistry(base);
  if (json) return printJson({ source: base, directions });
  const rows = directions.map((one) => {
    const model = one.files.find(({ sha256 }) => sha256 !== undefined);
    return [one.id, one.architecture, sizeOf(one), one.licence, model?.sha256 ?? "not stated"];
  });
  printTable(["model", "kind", "installed", "licence", "SHA-256 of the model"], rows);
  process.stdout.write(`\nSource: ${base}\n`);
}
