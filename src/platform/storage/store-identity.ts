// Ties a database to one object store. Two processes on one database with different stores would each miss the recordings and results
// of the other. The identity is an object of the store and a row of the database; both are written at the first start.
import { sql } from "kysely";
import type { Logger } from "pino";
import { errors, type ParlanceError, toParlanceError } from "../errors.ts";
import { sharedFor } from "../process/shared-for.ts";
import type { Database } from "./db/database.ts";
import { deploymentFact, setDeploymentFact, setOrphanMarks } from "./db/deployment.ts";
import { inTransaction } from "./db/transaction.ts";
import type { ObjectStore } from "./objects/object-store.ts";
import { mustWait } from "./when-possible.ts";

/** Number of the newest recordings and results that are checked in a store without a stored identity. */
const SAMPLE_OBJECTS = 20;
/** Key of PostgreSQL's advisory lock: processes that start at the same time register one after the other. */
const ADVISORY_LOCK = 7_305_129;
const RETRY_MILLISECONDS = 5_000;
/** How long a check counts: the queue checks before every job. */
const KNOWN_MILLISECONDS = 1_000;

export interface StoreIdentityOptions {
  database: Database;
  objects: ObjectStore;
  /** No other process can be on this database (the embedded one). */
  isOnlyProcess: boolean;
  newId(): string;
}

async function sampleKeys(database: Database): Promise<string[]> {
  const files = await database
    .selectFrom("files")
    .select("object_key as key")
    .where("audio_deleted_at", "is", null)
    .orderBy("created_at", "desc")
    .limit(SAMPLE_OBJECTS)
    .execute();
  const results = await database
    .selectFrom("jobs")
    .select("result_key as key")
    .where("result_key", "is not", null)
    .orderBy("created_at", "desc")
    .limit(SAMPLE_OBJECTS)
    .execute();
  return [...files, ...results].map(({ key }) => key as string);
}

async function hasAnyOf(objects: ObjectStore, keys: readonly string[]): Promise<boolean> {
  for (const key of keys) if ((await objects.size(key)) !== undefined) return true;
  return false;
}

const kindOf = (identity: string) => identity.split(":")[0];

export type StoreState =
  /** Store and database name each other. */
  | { kind: "known"; identity: string }
  /** Neither the database nor, where `identity` is not given, the store has one yet. */
  | { kind: "new"; identity?: string }
  /** It is the store of the database, and its object with the identity was lost or damaged. */
  | { kind: "unmarked"; identity: string };

/**
 * Compares the store with the database. Changes nothing.
 * @throws storage.other_store; storage.unavailable
 */
export async function storeState({ database, objects, isOnlyProcess }: StoreIdentityOptions): Promise<StoreState> {
  const [known, own] = [await deploymentFact(database, "object_store"), await objects.identity()];
  if (known !== undefined && known === own) return { kind: "known", identity: known };
  // The folder of an embedded database is in the same data folder and has no other user.
  const isOwnFolder = isOnlyProcess && objects.kind === "folder";
  if (known === undefined) {
    const samples = isOwnFolder ? [] : await sampleKeys(database);
    if (samples.length > 0 && !(await hasAnyOf(objects, samples))) throw errors.otherStore(objects.place);
    return own === undefined ? { kind: "new" } : { kind: "new", identity: own };
  }
  const mayBeUnmarked = own === undefined || isOwnFolder;
  if (!mayBeUnmarked || kindOf(known) !== objects.kind) throw errors.otherStore(objects.place);
  if (!isOwnFolder && !(await hasAnyOf(objects, await sampleKeys(database)))) throw errors.otherStore(objects.place);
  return { kind: "unmarked", identity: known };
}

/** @throws storage.other_store */
async function register(options: StoreIdentityOptions): Promise<string> {
  const { database, objects, newId } = options;
  const state = await storeState(options);
  if (state.kind === "known") return state.identity;
  const identity = state.identity ?? `${objects.kind}:${newId()}`;
  if (state.kind === "unmarked" || state.identity === undefined) await objects.setIdentity(identity);
  if (state.kind === "new") await setDeploymentFact(database, "object_store", identity);
  return identity;
}

/**
 * Compares the identity of the store with that in the database, and writes both where neither is known.
 * @returns the identity
 * @throws storage.other_store; storage.unavailable, database.unavailable
 */
async function checkStoreIdentity(options: StoreIdentityOptions): Promise<string> {
  const { database, objects } = options;
  const [known, own] = [await deploymentFact(database, "object_store"), await objects.identity()];
  if (known !== undefined && known === own) return known;
  return inTransaction(database, async (transaction) => {
    await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(transaction);
    return register({ ...options, database: transaction });
  });
}

/** Ties the database to this store from now on, whatever store it had before. */
export async function adoptStore({ database, objects, newId }: Omit<StoreIdentityOptions, "isOnlyProcess">) {
  const identity = (await objects.identity()) ?? `${objects.kind}:${newId()}`;
  await objects.setIdentity(identity);
  await setDeploymentFact(database, "object_store", identity);
  // From now on, objects without a row are removed (orphans.ts).
  const { leftovers } = objects;
  if (!leftovers) return;
  const known = await leftovers.mark();
  const mark = known ?? newId();
  await setOrphanMarks(database, [mark]);
  if (known === undefined) await leftovers.setMark(mark);
}

export interface StoreReachOptions extends StoreIdentityOptions {
  logger: Logger;
  /** Called once, when the store turns out to be another one after the start; it must end the process. */
  onOtherStore(error: ParlanceError): void;
}

/** Whether the objects of this database are in reach of this process. While they are not, it claims no jobs. */
export class StoreReach {
  private identity: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly checked = sharedFor(KNOWN_MILLISECONDS, () => this.look());
  private wasInReach = true;

  constructor(private readonly options: StoreReachOptions) {}

  /**
   * A store that does not answer is checked again in the background.
   * @throws storage.other_store
   */
  async start(): Promise<void> {
    try {
      this.identity = await checkStoreIdentity(this.options);
    } catch (error) {
      if (!mustWait(error)) throw error;
      this.options.logger.warn({ err: error }, "the object store cannot be checked yet; no job is claimed until it is");
      this.timer = setTimeout(() => void this.startLater(), RETRY_MILLISECONDS).unref();
    }
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  async isInReach(): Promise<boolean> {
    const { objects, isOnlyProcess } = this.options;
    if (this.identity === undefined) return false;
    // A bucket that does not answer makes jobs wait by itself. A folder can be an empty mount point.
    if (isOnlyProcess || objects.kind !== "folder") return true;
    return this.checked();
  }

  private async look(): Promise<boolean> {
    const { objects, logger } = this.options;
    const found = await objects.identity().catch(() => undefined);
    const isInReach = found === this.identity;
    if (!isInReach && this.wasInReach) {
      logger.error({ place: objects.place }, "the object store of this database is out of reach; no job is claimed");
    }
    if (isInReach && !this.wasInReach) logger.info("the object store is in reach again");
    this.wasInReach = isInReach;
    return isInReach;
  }

  private async startLater(): Promise<void> {
    try {
      await this.start();
    } catch (error) {
      this.options.onOtherStore(toParlanceError(error));
    }
  }
}
