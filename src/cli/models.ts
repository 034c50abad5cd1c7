// parlance models: what is installed, what can be; adding, removing, verifying.
import { parseArgs } from "node:util";
import { hubOf, modelStore } from "../compose.ts";
import { loadSettings } from "../config/load.ts";
import type { Settings } from "../config/settings.ts";
import { errors } from "../errors.ts";
import { CATALOGUE } from "../models/catalogue.ts";
import { bytesOf } from "../models/manifest.ts";
import type { InstalledModel, ModelStore } from "../models/store.ts";
import { addModel } from "./add-model.ts";
import { type Command, usageError } from "./command.ts";
import { printTable } from "./table.ts";

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

const spoken = (languages: readonly string[] | number) => {
  if (typeof languages === "number") return `${languages} languages`;
  return languages.length > 6 ? `${languages.length} languages` : languages.join(", ");
};

function useOf({ id }: InstalledModel, settings: Settings): string {
  if (id === settings.model) return "what requests get by default";
  return id === settings.multilingualModel ? "other languages" : "by its name";
}

async function list(store: ModelStore, settings: Settings): Promise<void> {
  const installed = await store.list();
  const rows = installed.map((model) => [
    model.id,
    spoken(model.languages),
    model.manifest ? megabytes(bytesOf(model.manifest)) : "in a package",
    model.licence,
    useOf(model, settings),
  ]);
  process.stdout.write("Installed:\n");
  printTable(["model", "languages", "size", "licence", "used for"], rows);
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
}

async function verify(id: string | undefined, store: ModelStore): Promise<void> {
  const models = id === undefined ? (await store.list()).filter(({ manifest }) => manifest) : [await store.get(id)];
  if (models.length === 0) process.stdout.write("No model was added; those of the packages are npm's to verify.\n");
  for (const model of models) {
    const problems = await store.verify(model);
    if (problems.length > 0) throw errors.modelDamaged(model.id, problems);
    process.stdout.write(`${model.id}: all files are as they were installed\n`);
  }
}

export const modelsCommand: Command = {
  name: "models",
  synopsis:
    "models list | models add ID|hf:OWNER/NAME|FOLDER [--id NAME] [--languages CODES] | models remove ID | models verify [ID]",
  summary: "Models for other languages: what there is, fetching, removing, checking.",
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { id: { type: "string" }, languages: { type: "string" } },
    });
    const [action, name, ...more] = positionals;
    const needsName = action === "add" || action === "remove";
    if (more.length > 0 || (needsName && name === undefined)) throw usageError(`usage: parlance ${this.synopsis}`);
    if (values.id !== undefined && !/^[a-z0-9][a-z0-9._-]{0,99}$/.test(values.id)) {
      throw usageError(`--id takes small letters, digits, dots, - and _; it is ${values.id}`);
    }
    const settings = loadSettings();
    const store = modelStore(settings);
    switch (action) {
      case "list":
        if (name !== undefined) throw usageError(`usage: parlance ${this.synopsis}`);
        await list(store, settings);
        break;
      case "add": {
        const { model, isNew } = await addModel(name ?? "", store, {
          hub: hubOf(settings),
          ...(values.id === undefined ? {} : { id: values.id }),
          ...(values.languages === undefined ? {} : { languages: values.languages.split(",") }),
        });
        const size = model.manifest ? ` (${megabytes(bytesOf(model.manifest))})` : "";
        process.stdout.write(`${model.id}${size} is installed${isNew ? "" : " already"}: ${spoken(model.languages)}\n`);
        break;
      }
      case "remove":
        await store.remove(name ?? "");
        process.stdout.write(`removed ${name}\n`);
        break;
      case "verify":
        await verify(name, store);
        break;
      default:
        throw usageError(`usage: parlance ${this.synopsis}`);
    }
  },
};
