// parlance models: what is installed, what can be; adding, removing, verifying.
import type { Command } from "commander";
import { hubOf } from "../compose.ts";
import { loadSettings } from "../config/load.ts";
import type { Settings } from "../config/settings.ts";
import { errors } from "../errors.ts";
import { CATALOGUE } from "../models/catalogue.ts";
import { bytesOf } from "../models/manifest.ts";
import type { InstalledModel, ModelStore } from "../models/store.ts";
import { PUBLISHED_DIRECTIONS } from "../models/translation-catalogue.ts";
import { modelStore } from "../recognition-startup.ts";
import { addModel } from "./add-model.ts";
import { languagesOption } from "./languages-option.ts";
import { printJson, printTable } from "./table.ts";
import { isTranslation, listRegistry, printPublishedDirections } from "./translation-models.ts";
import { UsageError } from "./usage-error.ts";

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

const spoken = (languages: readonly string[] | number) => {
  if (typeof languages === "number") return `${languages} languages`;
  if (languages.length === 0) return "any language";
  return languages.length > 6 ? `${languages.length} languages` : languages.join(", ");
};

function useOf(model: InstalledModel, settings: Settings): string {
  const { id } = model;
  if (isTranslation(model)) return "translation";
  if (model.capabilities.turns) return "speakers";
  if (id === settings.model) return "what requests get by default";
  return id === settings.multilingualModel ? "other languages" : "by its name";
}

async function list(store: ModelStore, settings: Settings): Promise<void> {
  const installed = await store.all();
  const rows = installed.map((model) => [
    model.id,
    isTranslation(model) ? model.languages.join(" to ") : spoken(model.languages),
    model.manifest ? megabytes(bytesOf(model.manifest)) : "in a package",
    model.licence,
    useOf(model, settings),
  ]);
  process.stdout.write("Installed:\n");
  printTable(["model", "languages", "size", "licence", "used for"], rows);
  for (const { id, source } of await store.outdated()) {
    process.stdout.write(
      `\n${id} was prepared by another version and is not used. Add it again: npx parlance models add ${source}\n`,
    );
  }
  const others = CATALOGUE.filter(({ id }) => !installed.some((model) => model.id === id));
  process.stdout.write("\nCan be added (npx parlance models add ID):\n");
  printTable(
    ["model", "languages", "to fetch", "installed", "licence", "what"],
    others.map(({ id, languages, downloadBytes, installedBytes, licence, note }) => [
      id,
      spoken(languages),
      megabytes(downloadBytes),
      megabytes(installedBytes),
      licence,
      id === settings.multilingualModel ? `${note} (by itself, when it is needed)` : note,
    ]),
  );
  process.stdout.write("\nAny other Whisper checkpoint: npx parlance models add hf:OWNER/NAME, or a folder.\n");
  printPublishedDirections();
}

async function verify(id: string | undefined, store: ModelStore): Promise<void> {
  const models = id === undefined ? (await store.all()).filter(({ manifest }) => manifest) : [await store.get(id)];
  if (models.length === 0) process.stdout.write("No model was added; those of the packages are npm's to verify.\n");
  for (const model of models) {
    const problems = await store.verify(model);
    if (problems.length > 0) throw errors.modelDamaged(model.id, problems);
    process.stdout.write(`${model.id}: all files are as they were installed\n`);
  }
}

/** What of an installed model is told to programs. */
const described = ({ id, languages, licence, manifest }: InstalledModel) => ({
  id,
  languages,
  licence,
  bytes: manifest ? bytesOf(manifest) : null,
});

export function addModels(program: Command): void {
  const models = program
    .command("models")
    .description("Models for other languages: what there is, fetching, removing, checking");
  models
    .command("list")
    .description("List installed models and those that can be added")
    .option("--json", "print JSON")
    .option("--translation", "every translation model that is published, with size and SHA-256 (needs the network)")
    .action(async ({ json, translation }: { json?: boolean; translation?: boolean }) => {
      const settings = loadSettings();
      if (translation) return listRegistry(settings.translationModelsUrl, json === true);
      const store = modelStore(settings);
      if (json)
        printJson({
          installed: (await store.all()).map(described),
          catalogue: CATALOGUE,
          translation: PUBLISHED_DIRECTIONS,
        });
      else await list(store, settings);
    });
  models
    .command("add")
    .description("Fetch a model and prepare it")
    .argument("<name>", "an id of the list, hf:OWNER/NAME of a hub, or a folder with a checkpoint")
    .option("--id <name>", "how requests name it")
    .option("--languages <codes>", "ISO 639 codes that it knows, comma-separated, where it does not say")
    .action(async (name: string, { id, languages }: { id?: string; languages?: string }) => {
      if (id !== undefined && !/^[a-z0-9][a-z0-9._-]{0,99}$/.test(id)) {
        throw new UsageError(`--id takes small letters, digits, dots, - and _; it is ${id}`);
      }
      const settings = loadSettings();
      const { model, isNew } = await addModel(name, modelStore(settings), {
        hub: hubOf(settings),
        ...(id === undefined ? {} : { id }),
        ...(languages === undefined ? {} : { languages: languagesOption(languages, "--languages") }),
      });
      const size = model.manifest ? ` (${megabytes(bytesOf(model.manifest))})` : "";
      process.stdout.write(
        `${model.id}${size} is installed${isNew ? "" : " already"}: ${isTranslation(model) ? model.languages.join(" to ") : spoken(model.languages)}\n`,
      );
    });
  models
    .command("remove")
    .description("Remove a model")
    .argument("<id>")
    .action(async (id: string) => {
      await modelStore(loadSettings()).remove(id);
      process.stdout.write(`removed ${id}\n`);
    });
  models
    .command("verify")
    .description("Compare every file of a model, or of all, with what was installed")
    .argument("[id]")
    .action(async (id: string | undefined) => verify(id, modelStore(loadSettings())));
}
