// What `models add` can be given: a name of the catalogue, a repository of a hub, a folder.
import { access, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { errors } from "../../platform/errors.ts";
import { TRANSLATION_ENGINE } from "../../speech/engines/bergamot/engine.ts";
import { directionFiles } from "../../speech/engines/bergamot/files.ts";
import type { CheckpointSource } from "../../speech/engines/engine.ts";
import { LANGUAGE_MODEL_ENGINE } from "../../speech/engines/gguf/engine.ts";
import { smartTurn } from "../../speech/engines/smart-turn/engine.ts";
import { speakerNetworks } from "../../speech/engines/speaker-networks/engine.ts";
import { readGguf } from "../../speech/language-model/gguf.ts";
import { similarNames } from "../../speech/text/similar.ts";
import { CATALOGUE, type CatalogueEntry, catalogueEntry, SPEAKER_MODEL, TURN_MODEL } from "./catalogue.ts";
import { type HubOptions, HubRepository } from "./hub.ts";
import { LANGUAGE_MODELS, languageModelEntry, languageModelOfFile } from "./language-model-catalogue.ts";
import { originOfDirection } from "./mozilla-registry.ts";
import { namedDirection, TRANSLATION_LICENCE, translationId } from "./translation-catalogue.ts";

export interface Origin {
  /** Name that the model gets. */
  id: string;
  /** What it was added as. */
  source: string;
  licence: string;
  /** Where they are known beforehand. */
  engine?: string;
  languages?: readonly string[];
  files: HubRepository | FolderSource;
  /** SHA-256 by name, of prepared files that are as they were published. */
  sha256?: ReadonlyMap<string, string>;
}

export class FolderSource implements CheckpointSource {
  readonly name: string;

  /** @param file  the only one that is used; without it, all */
  constructor(
    readonly folder: string,
    private readonly file?: string,
  ) {
    this.name = file === undefined ? folder : path.join(folder, file);
  }

  async names(): Promise<readonly string[]> {
    return this.file === undefined ? readdir(this.folder) : [this.file];
  }

  async has(file: string): Promise<boolean> {
    return access(path.join(this.folder, file)).then(
      () => true,
      () => false,
    );
  }

  async text(file: string): Promise<string | undefined> {
    return readFile(path.join(this.folder, file), "utf8").catch(() => undefined);
  }
}

const REPOSITORY = /^hf:([\w.-]+)\/([\w.-]+)$/;
const REPOSITORY_FILE = /^hf:([\w.-]+)\/([\w.-]+):([\w.-]+\.gguf)$/i;
const UNKNOWN_LICENCE = "see its author";

/** A name that is a folder's and a request's, too. */
const nameOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "");

/** The direction whose published files lie in a folder. */
async function directionIn(source: FolderSource) {
  try {
    const found = directionFiles((await source.names()).map((name) => name.replace(/\.gz$/, "")));
    return found && namedDirection(translationId(found.source, found.target));
  } catch (thrown) {
    throw errors.badCheckpoint(source.name, (thrown as Error).message);
  }
}

/** A language model: of the catalogue, or one file of a hub or of this machine. @returns undefined where it is none */
async function originOfLanguageModel(name: string, hub: HubOptions, signal?: AbortSignal): Promise<Origin | undefined> {
  const engine = LANGUAGE_MODEL_ENGINE;
  const listed = languageModelEntry(name);
  if (listed) {
    const { id, repository, file, licence, languages } = listed;
    const files = new HubRepository(repository, { ...hub, names: [file] }, signal);
    return { id, source: id, licence, engine, languages, files };
  }
  const [, owner, repository, file] = REPOSITORY_FILE.exec(name) ?? [];
  if (owner && repository && file) {
    const files = new HubRepository(`${owner}/${repository}`, { ...hub, names: [file] }, signal);
    return { id: nameOf(file.replace(/\.gguf$/i, "")), source: name, licence: UNKNOWN_LICENCE, engine, files };
  }
  const own = path.resolve(name);
  const isFile = await stat(own).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile || !own.toLowerCase().endsWith(".gguf")) return undefined;
  const header = await readGguf(own).catch((thrown: Error) => {
    throw errors.badCheckpoint(own, thrown.message, thrown);
  });
  const base = path.basename(own);
  const known = languageModelOfFile(base);
  return {
    id: known?.id ?? nameOf(base.replace(/\.gguf$/i, "")),
    source: own,
    licence: known?.licence ?? header.licence ?? UNKNOWN_LICENCE,
    engine,
    ...(known ? { languages: known.languages } : {}),
    files: new FolderSource(path.dirname(own), base),
  };
}

/** Addresses of files that are in several repositories. */
function separateFiles({ files }: CatalogueEntry, base: string): Pick<HubOptions, "addressOf" | "names"> {
  if (!files) return {};
  const addressOf = (name: string) => {
    const { repository, file } = files[name] as { repository: string; file: string };
    return `${base.replace(/(?<!\/)\/+$/, "")}/${repository}/resolve/main/${file}`;
  };
  return { addressOf, names: Object.keys(files) };
}

/** @throws models.unknown, models.bad_checkpoint */
export async function originOf(name: string, hub: HubOptions, signal?: AbortSignal): Promise<Origin> {
  const entry = catalogueEntry(name);
  if (entry) {
    const { id, repository, licence, engine, languages } = entry;
    const known = typeof languages === "number" ? {} : { languages };
    const files = new HubRepository(repository, { ...hub, ...separateFiles(entry, hub.base) }, signal);
    return { id, source: id, licence, engine, ...known, files };
  }
  if (namedDirection(name)) {
    const { files, sha256 } = await originOfDirection(name, hub, signal);
    return { id: name, source: name, licence: TRANSLATION_LICENCE, engine: TRANSLATION_ENGINE, files, sha256 };
  }
  const languageModel = await originOfLanguageModel(name, hub, signal);
  if (languageModel) return languageModel;
  const [, owner, repository] = REPOSITORY.exec(name) ?? [];
  if (owner && repository) {
    const files = new HubRepository(`${owner}/${repository}`, hub, signal);
    return { id: nameOf(`${owner}--${repository}`), source: name, licence: UNKNOWN_LICENCE, files };
  }
  const folder = path.resolve(name);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw errors.modelUnknown(name, undefined, similarModels(name));
  const files = new FolderSource(folder);
  const direction = await directionIn(files);
  if (direction)
    return { id: direction.id, source: folder, licence: TRANSLATION_LICENCE, engine: TRANSLATION_ENGINE, files };
  for (const [engine, id] of [
    [speakerNetworks, SPEAKER_MODEL],
    [smartTurn, TURN_MODEL],
  ] as const) {
    if (!(await engine.filesOf?.(files))) continue;
    const licence = catalogueEntry(id)?.licence ?? UNKNOWN_LICENCE;
    return { id, source: folder, licence, engine: engine.name, files };
  }
  const id = nameOf(path.basename(folder));
  // A catalogue's own model, copied by hand: the same model under the same name.
  const licence = catalogueEntry(id)?.licence ?? UNKNOWN_LICENCE;
  return { id, source: folder, licence, files };
}

const MOST_SHOWN = 5;

/**
 * Names of models that a wrong name may mean: "base" is whisper-base.
 * @param known  default: the models that can be added by their name
 */
export function similarModels(given: string, known: readonly string[] = addable()): string[] {
  const wanted = given.trim().toLowerCase();
  // People leave the family out: "base", "large-v3", "tiny.en".
  const inFamily = known.filter((id) => wanted.length > 1 && `${id}-`.toLowerCase().includes(`-${wanted}-`));
  const within = known.filter((id) => wanted.length > 2 && id.toLowerCase().includes(wanted));
  return [...new Set([...inFamily, ...similarNames(wanted, known), ...within])].slice(0, MOST_SHOWN);
}

const addable = () => [...CATALOGUE, ...LANGUAGE_MODELS].map(({ id }) => id);
