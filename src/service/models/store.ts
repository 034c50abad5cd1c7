// The models of this machine: those that come with the packages, and those in the models folder. A model is a folder with
// its manifest; it gets its name by one rename, so that there is no half of one.

import { randomUUID } from "node:crypto";
import { readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { DEFAULT_ALIASES } from "../../contract/default-aliases.ts";
import { errors } from "../../platform/errors.ts";
import { hashFile } from "../../platform/storage/content-hash.ts";
import { unlessShort } from "../../platform/system-shortage.ts";
import type { Model } from "../../speech/engines/engine.ts";
import { BUILT_IN_MODELS, ENGINES } from "../../speech/engines/registry.ts";
import { bytesOf, isOfOtherForm, type Manifest, readManifest } from "./manifest.ts";

/** Folders of the store itself begin so: what is being made, what is being removed, locks. */
const OWN = ".";
/** Another process may add or remove a model. */
const FRESH_MILLISECONDS = 1_000;

const PURPOSES = new Map(ENGINES.map(({ name, purpose }) => [name, purpose]));

export interface InstalledModel extends Model {
  manifest?: Manifest;
}

/** A model that this process or another one can use. */
export interface ServedModel extends Omit<Model, "folder"> {
  manifest?: Pick<Manifest, "source">;
  /** Undefined for a model that comes with the program. */
  bytes?: number | undefined;
}

export interface ServedModels {
  /** Every model that recognises speech, those of the program first. */
  list(): Promise<readonly ServedModel[]>;
  /** @param name  an id or hf:OWNER/NAME */
  find(name: string): Promise<ServedModel | undefined>;
}

/** Whether this is a name of the model in requests. @param name  an id or hf:OWNER/NAME */
export const isNamed = ({ id, manifest }: Pick<ServedModel, "id" | "manifest">, name: string): boolean =>
  id === name || manifest?.source === name;

export const recognizesSpeech = ({ engine }: Pick<Model, "engine">): boolean => PURPOSES.get(engine) === undefined;

export function describedModel({
  id,
  engine,
  languages,
  capabilities,
  licence,
  manifest,
}: InstalledModel): ServedModel {
  const model = { id, engine, languages, capabilities, licence };
  return manifest ? { ...model, manifest: { source: manifest.source }, bytes: bytesOf(manifest) } : model;
}

/** The model of a request that names none. */
export const DEFAULT_MODEL = "solaria-1";

export class ModelStore implements ServedModels {
  private known: { at: number; changedAt: number; models: InstalledModel[] } | undefined;

  /** @param folder  need not exist */
  constructor(readonly folder: string) {}

  /** Every model that recognises speech, those of the packages first. */
  async list(): Promise<readonly InstalledModel[]> {
    return (await this.all()).filter(recognizesSpeech);
  }

  /** Every translation model: one direction each. */
  async listTranslation(): Promise<readonly InstalledModel[]> {
    return (await this.all()).filter(({ engine }) => PURPOSES.get(engine) === "translation");
  }

  /** Every language model, those added last first. */
  async listLanguageModels(): Promise<readonly InstalledModel[]> {
    const addedAt = ({ manifest }: InstalledModel) => manifest?.installedAt ?? "";
    return (await this.all())
      .filter(({ engine }) => PURPOSES.get(engine) === "language-model")
      .sort((left, right) => addedAt(right).localeCompare(addedAt(left)));
  }

  /** The model that finds speakers, if it is installed. @param id  from the settings */
  async findSpeakerModel(id: string): Promise<InstalledModel | undefined> {
    return (await this.all()).find((model) => model.id === id && PURPOSES.get(model.engine) === "speakers");
  }

  /** The model that detects the ends of turns, if it is installed. @param id  from the settings */
  async findTurnModel(id: string): Promise<InstalledModel | undefined> {
    return (await this.all()).find((model) => model.id === id && PURPOSES.get(model.engine) === "turns");
  }

  /** Every model that can be used. */
  async all(): Promise<readonly InstalledModel[]> {
    const now = performance.now();
    if (this.known && now - this.known.at < FRESH_MILLISECONDS) return this.known.models;
    // The modification time of a folder changes when an entry is added, renamed or removed.
    const changedAt = await stat(this.folder).then(({ mtimeMs }) => mtimeMs, unlessShort(0));
    if (this.known?.changedAt === changedAt) {
      this.known.at = now;
      return this.known.models;
    }
    const found = (await this.manifests()).filter((manifest) => !isOfOtherForm(manifest));
    const models = [...BUILT_IN_MODELS, ...found.map((manifest) => this.installed(manifest))];
    this.known = { at: now, changedAt, models };
    return models;
  }

  /** Models that another version of this program prepared: they have to be added again. */
  async outdated(): Promise<Manifest[]> {
    return (await this.manifests()).filter(isOfOtherForm);
  }

  /** What this process has changed is seen at once. */
  forget(): void {
    this.known = undefined;
  }

  /** @param name  an id or hf:OWNER/NAME */
  async find(name: string): Promise<InstalledModel | undefined> {
    const builtIn = BUILT_IN_MODELS.find(({ id }) => id === name);
    if (builtIn) return builtIn;
    const models = await this.all();
    return models.find((model) => isNamed(model, name));
  }

  /** @throws models.missing */
  async get(id: string): Promise<InstalledModel> {
    const model = await this.find(id);
    if (!model) throw errors.modelMissing(id);
    return model;
  }

  /** Whether a request that names this model means the default one. */
  static isDefault(name: string | undefined): boolean {
    return name === undefined || DEFAULT_ALIASES.includes(name);
  }

  /** Every name that a request may give. */
  async names(): Promise<string[]> {
    return [...(await this.list()).map(({ id }) => id), ...DEFAULT_ALIASES];
  }

  /** @throws models.missing, models.built_in */
  async remove(id: string): Promise<void> {
    const old = (await this.outdated()).find((manifest) => manifest.id === id);
    const { folder } = old ? this.installed(old) : await this.get(id);
    if (folder === undefined) throw errors.modelBuiltIn(id);
    // Processes that have loaded it continue with it; a process never finds an incomplete model.
    const doomed = path.join(this.folder, `${OWN}removed-${randomUUID()}`);
    await rename(folder, doomed);
    this.forget();
    await rm(doomed, { recursive: true, force: true });
  }

  /** Compares every file with what was installed. @returns what is wrong; nothing where all is well */
  async verify(model: InstalledModel): Promise<string[]> {
    const problems: string[] = [];
    for (const { name, bytes, sha256 } of model.manifest?.files ?? []) {
      const file = path.join(model.folder ?? "", name);
      const size = await stat(file).then(
        ({ size }) => size,
        () => undefined,
      );
      if (size === undefined) problems.push(`${name} is missing`);
      else if (size !== bytes) problems.push(`${name} has ${size} bytes instead of ${bytes}`);
      else if ((await hashFile(file)).sha256 !== sha256) problems.push(`${name} was changed`);
    }
    return problems;
  }

  private async manifests(): Promise<Manifest[]> {
    const names = await readdir(this.folder).catch(unlessShort<string[]>([]));
    const folders = names.filter((name) => !name.startsWith(OWN)).sort();
    const found = await Promise.all(folders.map((name) => readManifest(path.join(this.folder, name))));
    return found.filter((manifest, at) => manifest !== undefined && manifest.id === folders[at]) as Manifest[];
  }

  private installed(manifest: Manifest): InstalledModel {
    const { id, engine, languages, capabilities, licence } = manifest;
    return { id, engine, languages, capabilities, licence, folder: path.join(this.folder, id), manifest };
  }
}
