// The account behind a request: that of the key in one of the accepted headers or the console's cookie.
import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { errors } from "../../platform/errors.ts";
import { within } from "../../platform/process/within.ts";
import {
  type Account,
  findAccount,
  hashKey,
  type KeyHolder,
  keyHolder,
} from "../../platform/storage/db/accounts/accounts.ts";
import { isMadeKey } from "../../service/accounts/first-account.ts";
import { isOperator } from "../../service/accounts/operator.ts";
import { addConsoleSession, cookieKey } from "../console/session.ts";
import type { Api, ApiContext } from "../context.ts";
import { RequestOrigins } from "../requests/request-origin.ts";
import { Guesses } from "./guesses.ts";

const METRICS = "/metrics";
/**
 * Accepted by every route: clients of OpenAI's interface, Prometheus and generated clients send their key as Bearer, those of Deepgram's as
 * Token.
 */
const BEARER = /^(?:bearer|token)\s+(\S+)\s*$/i;

/** Of programs that take no header but an address with a password, as requests of Python send it. */
const BASIC = /^basic\s+([a-z0-9+/]+=*)\s*$/i;

/** The key as the password, or as the user name without one. */
function basicKey({ headers: { authorization = "" } }: FastifyRequest): string | undefined {
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const [, user = "", password = ""] = /^([^:]*):?(.*)$/s.exec(Buffer.from(encoded, "base64").toString()) ?? [];
  return (password || user).trim() || undefined;
}

/** The key that the client itself put into the request; a browser adds none on its own. */
function headerKey(request: FastifyRequest, headers: string[]): string | undefined {
  for (const header of headers) {
    const value = request.headers[header];
    const key = Array.isArray(value) ? value[0] : value;
    if (key) return key;
  }
  return BEARER.exec(request.headers.authorization ?? "")?.[1];
}

/** An account as it was a moment ago will do: programs that poll would cost the database a query each time. */
const RECENT_MILLISECONDS = 250;
const MOST_RECENT = 1_000;

/** Longest look-up of a key for the metrics: they are answered in time while the database does not answer. */
const WATCHER_MILLISECONDS = 2_000;

/** Answers of `find`, by key, for a moment. */
class Recent<Found> {
  private readonly known = new Map<string, { found: Promise<Found | undefined>; until: number }>();

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

/** The reference page and the console bring routes of their own. */
const OPEN_PREFIXES = ["/docs", "/assets/"];

export function addAccounts(
  app: Api,
  context: Pick<ApiContext, "database" | "defaultAccount" | "firstKey" | "settings">,
): void {
  const { settings, database, defaultAccount } = context;
  const headers = settings.keyHeaders.split(",").map((name) => name.trim().toLowerCase());
  const origins = new RequestOrigins(settings);
  const configured = settings.apiKey === "" ? undefined : Buffer.from(hashKey(settings.apiKey));
  const ofMetrics = settings.metricsKey === "" ? undefined : Buffer.from(hashKey(settings.metricsKey));
  const hasChosenKeys = [settings.apiKey, settings.metricsKey].some((key) => key !== "" && !isMadeKey(key));

  const accounts = new Recent<Account>();
  const holders = new Recent<KeyHolder>();

  /** Not as it was at the start: its limits may have been changed. */
  const theDefault = async (keyName: string): Promise<KeyHolder> => ({
    account: (await accounts.get("", () => findAccount(database, defaultAccount.id))) ?? defaultAccount,
    keyName,
    keyId: null,
  });
  const guesses = new Guesses();
  const lookUp = async (key: string, hash: string, isMetrics: boolean): Promise<KeyHolder | undefined> => {
    const given = Buffer.from(hash);
    if (configured && timingSafeEqual(configured, given)) return theDefault(CONFIGURED_KEY);
    // It needs no database: the metrics report a database that does not answer.
    if (ofMetrics && timingSafeEqual(ofMetrics, given)) {
      return isMetrics ? { account: defaultAccount, keyName: METRICS_KEY, keyId: null } : undefined;
    }
    return holders.get(hash, () => keyHolder(database, key));
  };
  /** @throws account.too_many_guesses */
  const holderOf = async (key: string, address: string, isMetrics = false): Promise<KeyHolder | undefined> => {
    const hash = hashKey(key);
    const isGuessable = hasChosenKeys && !isMadeKey(key);
    const holder = await guesses.attempt({ address, hash, isGuessable }, () => lookUp(key, hash, isMetrics));
    if (holder) context.firstKey.noteUse(holder.keyId);
    return holder;
  };
  /** Holders of keys that have read /metrics before. These keys stay valid there while the database does not answer. */
  const watchers = new Map<string, KeyHolder>();
  const watcherOf = async (key: string, address: string): Promise<KeyHolder | undefined> => {
    const hash = hashKey(key);
    let holder: KeyHolder | undefined;
    try {
      holder = await within(WATCHER_MILLISECONDS, holderOf(key, address, true));
      if (holder && isOperator(holder.account)) watchers.set(hash, holder);
      else watchers.delete(hash);
    } catch {
      // Keys that have not read them wait for the database, and get its error.
      holder = watchers.get(hash) ?? (await holderOf(key, address, true));
    }
    if (holder && !isOperator(holder.account)) throw errors.notOperator();
    return holder;
  };
  const authenticate = async (request: FastifyRequest): Promise<KeyHolder> => {
    let key = headerKey(request, headers);
    if (key === undefined) {
      key = cookieKey(request, origins);
      if (key !== undefined || settings.anonymous) origins.check(request);
    }
    // Where nobody needs a key, the password is that of a proxy in front of the service.
    if (key === undefined && request.routeOptions.config.takesBasicKey && !settings.anonymous) {
      key = basicKey(request);
      // A browser in which the address was opened adds the password to requests of strangers' pages.
      if (key !== undefined) origins.checkPage(request);
    }
    if (key === undefined) {
      if (settings.anonymous) return theDefault(NO_KEY);
      throw errors.keyMissing(headers[0] ?? "x-service-key");
    }
    const find = request.routeOptions.url === METRICS ? watcherOf : holderOf;
    const holder = await find(key, request.ip);
    if (!holder) throw errors.keyUnknown();
    return holder;
  };
  const isKey = async (key: string, address: string) => (await holderOf(key, address)) !== undefined;

  app.after(() => addConsoleSession(app, { isAnonymous: settings.anonymous, origins, isKey }));
  app.decorateRequest("account");
  app.decorateRequest("keyName", "");
  app.decorateRequest("keyId", null);
  app.addHook("onRequest", async (request) => {
    const { config, url = "" } = request.routeOptions;
    if (config.isOpen || request.is404 || OPEN_PREFIXES.some((prefix) => url.startsWith(prefix))) return;
    Object.assign(request, await authenticate(request));
  });
}
