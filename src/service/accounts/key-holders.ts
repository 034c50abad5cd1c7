// The accounts that keys open, for requests and for connections: one count of wrong keys for both.
import { timingSafeEqual } from "node:crypto";
import type { Settings } from "../../platform/config/settings.ts";
import {
  type Account,
  findAccount,
  hashKey,
  type KeyHolder,
  keyHolder,
} from "../../platform/storage/db/accounts/accounts.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { isMadeKey } from "./first-account.ts";
import type { FirstKey } from "./first-key.ts";
import { Guesses } from "./guesses.ts";

/** An account may be this old: otherwise each request of a program that polls would need a query. */
const RECENT_MILLISECONDS = 250;
const MOST_RECENT = 1_000;

/** Answers of `find`, by key, for a moment. */
class Recent<Found> {
  private readonly known = new Map<string, { found: Promise<Found | undefined>; until: number }>();

  forget(): void {
    this.known.clear();
  }

  get(key: string, find: () => Promise<Found | undefined>): Promise<Found | undefined> {
    const now = performance.now();
    const recent = this.known.get(key);
    if (recent && recent.until > now) return recent.found;
    if (this.known.size >= MOST_RECENT) this.known.clear();
    const found = find();
    this.known.set(key, { found, until: now + RECENT_MILLISECONDS });
    found.catch(() => this.known.delete(key));
    return found;
  }
}

/** Name of the key in corrections and the audit log where it is no account's own. */
const CONFIGURED_KEY = "PARLANCE_API_KEY";
const METRICS_KEY = "PARLANCE_METRICS_KEY";
const NO_KEY = "anonymous";

export interface KeyServices {
  database: Database;
  defaultAccount: Account;
  firstKey: Pick<FirstKey, "noteUse">;
  settings: Pick<Settings, "anonymous" | "apiKey" | "metricsKey">;
}

export class KeyHolders {
  private readonly configured: Buffer | undefined;
  private readonly ofMetrics: Buffer | undefined;
  private readonly hasChosenKeys: boolean;
  private readonly accounts = new Recent<Account>();
  private readonly holders = new Recent<KeyHolder>();
  private readonly guesses = new Guesses();

  constructor(private readonly services: KeyServices) {
    const { apiKey, metricsKey } = services.settings;
    this.configured = apiKey === "" ? undefined : Buffer.from(hashKey(apiKey));
    this.ofMetrics = metricsKey === "" ? undefined : Buffer.from(hashKey(metricsKey));
    this.hasChosenKeys = [apiKey, metricsKey].some((key) => key !== "" && !isMadeKey(key));
  }

  /**
   * @param address    of the client
   * @param isMetrics  whether the key may be that of the metrics
   * @returns undefined for an unknown key
   * @throws account.too_many_guesses
   */
  async holderOf(key: string, address: string, isMetrics = false): Promise<KeyHolder | undefined> {
    const hash = hashKey(key);
    const isGuessable = this.hasChosenKeys && !isMadeKey(key);
    const holder = await this.guesses.attempt({ address, hash, isGuessable }, () => this.lookUp(key, hash, isMetrics));
    if (holder) this.services.firstKey.noteUse(holder.keyId);
    return holder;
  }

  /** Keys or accounts have changed: the next request reads them again. Other processes do after RECENT_MILLISECONDS. */
  forget(): void {
    this.accounts.forget();
    this.holders.forget();
  }

  /** Of requests without a key; undefined unless PARLANCE_ANONYMOUS allows them. */
  async anonymous(): Promise<KeyHolder | undefined> {
    return this.services.settings.anonymous ? this.theDefault(NO_KEY) : undefined;
  }

  /**
   * Of a listener whose clients send no keys.
   * @param key   of a setting; empty for the default account
   * @param name  of the listener, in corrections and the audit log
   * @returns undefined for a key that is unknown or revoked; it is no guess of a client
   */
  async ofListener(key: string, name: string): Promise<KeyHolder | undefined> {
    if (key === "") return this.theDefault(name);
    const holder = await this.lookUp(key, hashKey(key), false);
    if (holder) this.services.firstKey.noteUse(holder.keyId);
    return holder;
  }

  private async lookUp(key: string, hash: string, isMetrics: boolean): Promise<KeyHolder | undefined> {
    const { database, defaultAccount } = this.services;
    const given = Buffer.from(hash);
    if (this.configured && timingSafeEqual(this.configured, given)) return this.theDefault(CONFIGURED_KEY);
    // It needs no database: the metrics report a database that does not answer.
    if (this.ofMetrics && timingSafeEqual(this.ofMetrics, given)) {
      return isMetrics ? { account: defaultAccount, keyName: METRICS_KEY, keyId: null } : undefined;
    }
    return this.holders.get(hash, () => keyHolder(database, key));
  }

  /** The limits of the account may have changed since the start, so it is read again. */
  private async theDefault(keyName: string): Promise<KeyHolder> {
    const { database, defaultAccount } = this.services;
    const account = await this.accounts.get("", () => findAccount(database, defaultAccount.id));
    return { account: account ?? defaultAccount, keyName, keyId: null };
  }
}
