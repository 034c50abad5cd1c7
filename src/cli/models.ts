// parlance models: lists, adds, removes and verifies models.

import type { Command } from "commander";
import { PARLANCE } from "../platform/command-prefix.ts";
import { loadSettings } from "../platform/config/load.ts";
import type { Settings } from "../platform/config/settings.ts";
import { errors } from "../platform/errors.ts";
import { CATALOGUE } from "../service/models/catalogue.ts";
import { LANGUAGE_MODELS } from "../service/models/language-model-catalogue.ts";
import { bytesOf } from "../service/models/manifest.ts";
import { isModelName } from "../service/models/model-name.ts";
import { purposeOf } from "../service/models/offered-models.ts";
import type { InstalledModel, ModelStore } from "../service/models/store.ts";
import { hubOf, modelStore } from "../service/models/store-settings.ts";
import { PUBLISHED_DIRECTIONS } from "../service/models/translation-catalogue.ts";
import { addModel } from "./add-model.ts";
import { isLanguageModel, printLanguageModels, useOfLanguageModel } from "./language-models.ts";
import { languagesOption } from "./languages-option.ts";
import { addServiceModel, listServiceModels, removeServiceModel } from "./service-models.ts";
import { type ServiceOptions, serviceOf } from "./service-options.ts";
import { printJson, printTable } from "./table.ts";
import { isTranslation, listRegistry, printPublishedDirections } from "./translation-models.ts";
import { UsageError } from "./usage-error.ts";

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

const spoken = (languages: readonly string[] | number) => {
  if (typeof languages === "number") return `${languages} languages`;
  if (languages.length === 0) return "any language";
  return languages.length > 6 ? `${languages.length} languages` : languages.join(", ");
};

function languagesOf(model: InstalledModel): string {
  if (isTranslation(model)) return model.languages.join(" to ");
  return isLanguageModel(model) && model.languages.length === 0 ? "its authors name them" : spoken(model.languages);
}

async function useOf(model: InstalledModel, store: ModelStore, settings: Settings): Promise<string> {
  const { id } = model;
  if (isLanguageModel(model)) return useOfLanguageModel(model, store, settings);
  if (isTranslation(model)) return "translation";
  if (model.capabilities.turns) return "speakers";
  if (purposeOf(model.engine) === "turns") return "ends of turns";
  if (id === settings.model) return "what requests get by default";
  return id === settings.multilingualModel ? "other languages" : "by its name";
}

async function list(store: ModelStore, settings: Settings): Promise<void> {
  const installed = await store.all();
  const rows = await Promise.all(
    installed.map(async (model) => [
      model.id,
      languagesOf(model),
      model.manifest ? megabytes(bytesOf(model.manifest)) : "in a package",
      model.licence,
      await useOf(model, store, settings),
    ]),
  );
  process.stdout.write("Installed:\n");
  printTable(["model", "languages", "size", "licence", "used for"], rows);
  for (const { id, source } of await store.outdated()) {
    process.stdout.write(
      `\n${id} was prepared by another version and is not used. Add it again: ${PARLANCE} models add ${source}\n`,
    );
  }
  const others = CATALOGUE.filter(({ id }) => !installed.some((model) => model.id === id));
  process.stdout.write(`\nCan be added (${PARLANCE} models add ID):\n`);
  printTable(
    ["model", "languages", "to fetch", "installed", "licence", "what"],
    others.map(({ id, languages, downloadBytes, installedBytes, licence, note }) => [
      id,
      spoken(languages),
      megabytes(downloadBytes),
      megabytes(installedBytes),
      licence,
      id === settings.multilingualModel ? `${note} (automatically, when it is first needed)` : note,
    ]),
  );
  process.stdout.write(`\nAny other Whisper checkpoint: ${PARLANCE} models add hf:OWNER/NAME, or a folder.\n`);
  printPublishedDirections();
  printLanguageModels(installed, settings);
}

async function verify(id: string | undefined, store: ModelStore): Promise<void> {
  const models = id === undefined ? (await store.all()).filter(({ manifest }) => manifest) : [await store.get(id)];
  if (models.length === 0) process.stdout.write("No model was added. Models of npm packages are verified by npm.\n");
  for (const model of models) {
    const problems = await store.verify(model);
    if (problems.length > 0) throw errors.modelDamaged(model.id, problems);
    process.stdout.write(`${model.id}: all files are unchanged since the installation\n`);
  }
}

/** An installed model in the output of --json. */
const described = ({ id, languages, licence, manifest }: InstalledModel) => ({
  id,
  languages,
  licence,
  bytes: manifest ? bytesOf(manifest) : null,
});

interface AddOptions extends ServiceOptions {
  id?: string;
  languages?: string;
}

const addServer = (command: Command) =>
  command
    .option("--server <address>", "models of this service; default: those of this machine")
    .option("--key <key>", "key of the operator for --server; default: that of parlance login, else PARLANCE_API_KEY");

export function addModels(program: Command): void {
  const models = program.command("models").description("List, add, remove and verify models");
  addServer(models.command("list"))
    .description("List installed models and those that can be added")
    .option("--json", "print JSON")
    .option("--translation", "every translation model that is published, with size and SHA-256 (needs the network)")
    .action(async ({ json, translation, ...service }: ServiceOptions & { json?: boolean; translation?: boolean }) => {
      const settings = loadSettings();
      if (service.server !== undefined && !translation) return listServiceModels(serviceOf(service), json === true);
      if (translation) return listRegistry(settings.translationModelsUrl, json === true);
      const store = modelStore(settings);
      if (json)
        printJson({
          installed: (await store.all()).map(described),
          catalogue: CATALOGUE,
          translation: PUBLISHED_DIRECTIONS,
          languageModels: LANGUAGE_MODELS,
        });
      else await list(store, settings);
    });
  addServer(models.command("add"))
    .description("Fetch a model and prepare it")
    .argument(
      "<name>",
      "an id of the list, hf:OWNER/NAME or hf:OWNER/NAME:FILE.gguf of a hub, a folder with a checkpoint, or a GGUF file",
    )
    .option("--id <name>", "name of the model in requests")
    .option("--languages <codes>", "ISO 639 codes of its languages, comma-separated, if its files do not name them")
    .action(async (name: string, { id, languages, ...service }: AddOptions) => {
      if (service.server !== undefined) {
        if (id !== undefined || languages !== undefined)
          throw new UsageError("--id and --languages are for models of this machine, without --server");
        return addServiceModel(serviceOf(service), name);
      }
      if (id !== undefined && !isModelName(id)) {
        throw new UsageError(
          `--id takes lower-case letters, digits, dots, - and _, and no name that means another model; it is ${id}`,
        );
      }
      const settings = loadSettings();
      const { model, isNew } = await addModel(name, modelStore(settings), {
        hub: hubOf(settings),
        ...(id === undefined ? {} : { id }),
        ...(languages === undefined ? {} : { languages: languagesOption(languages, "--languages") }),
      });
      const size = model.manifest ? ` (${megabytes(bytesOf(model.manifest))})` : "";
      process.stdout.write(`${model.id}${size} is installed${isNew ? "" : " already"}: ${languagesOf(model)}\n`);
    });
  addServer(models.command("remove"))
    .description("Remove a model")
    .argument("<id>")
    .action(async (id: string, service: ServiceOptions) => {
      if (service.server !== undefined) return removeServiceModel(serviceOf(service), id);
      await modelStore(loadSettings()).remove(id);
      process.stdout.write(`removed ${id}\n`);
    });
  models
    .command("verify")
    .description("Compare every file of a model, or of all, with what was installed")
    .argument("[id]")
    .action(async (id: string | undefined) => verify(id, modelStore(loadSettings())));
}
