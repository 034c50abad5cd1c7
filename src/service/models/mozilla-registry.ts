// Mozilla's registry of translation models: BASE/db/models.json names the files of every direction, with the size and SHA-256 of each
// model. A mirror has the same layout.

import { errors, ParlanceError } from "../../platform/errors.ts";
import { getFromHub } from "../../platform/net/hub-fetch.ts";
import { serviceCode } from "../../speech/engines/bergamot/files.ts";
import { type HubOptions, HubRepository } from "./hub.ts";
import { namedDirection, TRANSLATION_LICENCE, translationId } from "./translation-catalogue.ts";

/** The registry has about 300 kB. */
const MOST_REGISTRY_BYTES = 32_000_000;
const REGISTRY = "db/models.json";
/** Order in which one of several models of a direction is chosen: those for desktop computers before those for telephones. */
const STATUSES = ["Release Desktop", "Release", "Release Android", "Nightly"];

interface RegistryFile {
  path?: unknown;
  uncompressedSize?: unknown;
  uncompressedHash?: unknown;
}
interface RegistryModel {
  sourceLanguage?: unknown;
  targetLanguage?: unknown;
  architecture?: unknown;
  releaseStatus?: unknown;
  files?: Record<string, RegistryFile>;
}

export interface RegisteredFile {
  /** Name of the unpacked file in the store. */
  name: string;
  /** Below the registry's base. */
  path: string;
  bytes?: number;
  /** Of the unpacked file in hexadecimal; the registry states it for models only. */
  sha256?: string;
}

export interface RegisteredDirection {
  id: string;
  source: string;
  target: string;
  architecture: string;
  licence: string;
  files: RegisteredFile[];
}

const SHA256 = /^[0-9a-f]{64}$/i;
/** Relative, and inside of the base. */
const PATH = /^(?!.*\.\.)[\w.-]+(?:\/[\w.-]+)*$/;

function fileOf({ path, uncompressedSize, uncompressedHash }: RegistryFile): RegisteredFile | undefined {
  if (typeof path !== "string" || !PATH.test(path)) return undefined;
  const name = (path.split("/").at(-1) as string).replace(/\.gz$/, "");
  return {
    name,
    path,
    ...(typeof uncompressedSize === "number" ? { bytes: uncompressedSize } : {}),
    ...(typeof uncompressedHash === "string" && SHA256.test(uncompressedHash)
      ? { sha256: uncompressedHash.toLowerCase() }
      : {}),
  };
}

function rank({ releaseStatus }: RegistryModel): number {
  const place = STATUSES.indexOf(releaseStatus as string);
  return place < 0 ? STATUSES.length : place;
}

function directionOf(models: RegistryModel[]): RegisteredDirection | undefined {
  const [best] = models.toSorted((left, right) => rank(left) - rank(right));
  const { sourceLanguage, targetLanguage, architecture } = best ?? {};
  if (!best?.files || typeof sourceLanguage !== "string" || typeof targetLanguage !== "string") return undefined;
  const files = Object.values(best.files).map(fileOf);
  if (files.some((file) => file === undefined)) return undefined;
  const [source, target] = [serviceCode(sourceLanguage), serviceCode(targetLanguage)];
  return {
    id: translationId(source, target),
    source,
    target,
    architecture: typeof architecture === "string" ? architecture : "",
    licence: TRANSLATION_LICENCE,
    files: files as RegisteredFile[],
  };
}

/** @param text  content of db/models.json @throws Error where it is none */
export function parseRegistry(text: string): RegisteredDirection[] {
  const { models } = JSON.parse(text) as { models?: Record<string, RegistryModel[]> };
  if (typeof models !== "object" || models === null) throw new Error("it is no registry of translation models");
  const found = Object.values(models).map((own) => (Array.isArray(own) ? directionOf(own) : undefined));
  const byId = new Map<string, RegisteredDirection>();
  // nb and no are one language here.
  for (const one of found) if (one && !byId.has(one.id)) byId.set(one.id, one);
  return [...byId.values()];
}

const addressOf = (base: string, path: string) => `${base.replace(/(?<!\/)\/+$/, "")}/${path}`;

/** @throws models.fetch_failed, models.refused */
export async function fetchRegistry(base: string, signal?: AbortSignal): Promise<RegisteredDirection[]> {
  const address = addressOf(base, REGISTRY);
  try {
    const { status, body } = await getFromHub(address, "GET", signal ? { signal } : {});
    if (status >= 400 && status < 500 && status !== 429) {
      await body.dump();
      throw errors.hubRefused(address, status);
    }
    if (status >= 400) throw new Error(`it answered ${status}`);
    body.setEncoding("utf8");
    let text = "";
    for await (const chunk of body) {
      text += chunk;
      if (text.length > MOST_REGISTRY_BYTES) throw new Error("it is too large to be the registry");
    }
    return parseRegistry(text);
  } catch (thrown) {
    if (thrown instanceof ParlanceError || signal?.aborted) throw thrown;
    throw errors.hubFailed(address, (thrown as Error).message, thrown);
  }
}

export interface DirectionOrigin {
  files: HubRepository;
  /** SHA-256 by unpacked name. */
  sha256: ReadonlyMap<string, string>;
}

/**
 * Where a direction's files are.
 * @param id  name of a direction
 * @throws models.unknown if the registry has no model of that name; what fetchRegistry throws
 */
export async function originOfDirection(id: string, hub: HubOptions, signal?: AbortSignal): Promise<DirectionOrigin> {
  const { translationBase: base } = hub;
  if (base === undefined) throw errors.modelMissing(id);
  const registry = await fetchRegistry(base, signal);
  const found = registry.find((one) => one.id === id);
  if (!found || !namedDirection(id))
    throw errors.modelUnknown(
      id,
      registry.map((one) => one.id),
    );
  const paths = new Map(found.files.map(({ path }) => [path.split("/").at(-1) as string, path]));
  const files = new HubRepository(
    id,
    // The token is the hub's, not this host's.
    {
      base,
      addressOf: (file) => addressOf(base, paths.get(file) ?? file),
      names: [...paths.keys()],
    },
    signal,
  );
  const sha256 = new Map(found.files.flatMap(({ name, sha256: hash }) => (hash ? [[name, hash] as const] : [])));
  return { files, sha256 };
}
