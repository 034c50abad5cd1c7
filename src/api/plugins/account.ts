// Who is asking: the account behind the key in one of the accepted headers.
import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { errors } from "../../errors.ts";
import { within } from "../../process/within.ts";
import { type Account, findAccount, hashKey, type KeyHolder, keyHolder } from "../../storage/db/accounts.ts";
import { addConsoleSession, cookieKey } from "../console/session.ts";
import type { Api, ApiContext } from "../context.ts";
import { OPENAI_PREFIX } from "../openai/errors.ts";
import { Guesses } from "./guesses.ts";

/** Clients of the other interface send their key so, and Prometheus. */
const METRICS = "/metrics";
const BEARER = /^bearer\s+(\S+)\s*$/i;

function keyOf(request: FastifyRequest, headers: string[]): string | undefined {
  for (const header of headers) {
    const value = request.headers[header];
    const key = Array.isArray(value) ? value[0] : value;
    if (key) return key;
  }
  const { url } = request.routeOptions;
  const isOther = url?.startsWith(OPENAI_PREFIX) || url === METRICS;
  return isOther ? BEARER.exec(request.headers.authorization ?? "")?.[1] : cookieKey(request);
}

/** An account as it was a moment ago will do: programs that poll would cost the database a query each time. */
const RECENT_MILLISECONDS = 250;
const MOST_RECENT = 1_000;

/** A key for the metrics is looked up for no longer: they must come in time when the database does not answer. */
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

/** What corrections are signed with where there is no key of an account. */
const CONFIGURED_KEY = "PARLANCE_API_KEY";
const NO_KEY = "anonymous";

/** The reference page and the console bring routes of their own. */
const OPEN_PREFIXES = ["/docs", "/assets/"];

export function addAccounts(app: Api, context: ApiContext): void {
  const { settings, database, defaultAccount } = context;
  const headers = settings.keyHeaders.split(",").map((name) => name.trim().toLowerCase());
  const configured = settings.apiKey === "" ? undefined : Buffer.from(hashKey(settings.apiKey));

  const accounts = new Recent<Account>();
  const holders = new Recent<KeyHolder>();

  /** Not as it was at the start: its limits may have been changed. */
  const theDefault = async (keyName: string): Promise<KeyHolder> => ({
    account: (await accounts.get("", () => findAccount(database, defaultAccount.id))) ?? defaultAccount,
    keyName,
  });
  const guesses = new Guesses();
  const lookUp = async (key: string, hash: string): Promise<KeyHolder | undefined> => {
    if (configured && timingSafeEqual(configured, Buffer.from(hash))) return theDefault(CONFIGURED_KEY);
    return holders.get(hash, () => keyHolder(database, key));
  };
  /** @throws account.too_many_guesses */
  const holderOf = async (key: string, address: string): Promise<KeyHolder | undefined> => {
    const hash = hashKey(key);
    guesses.check(address, hash);
    const holder = await lookUp(key, hash);
    if (holder) guesses.wasRight(hash);
    else guesses.wasWrong(address, hash);
    return holder;
  };
  /** The metrics tell that the database is away: a key that was right before may see them then, too. */
  const watchers = new Map<string, KeyHolder>();
  const watcherOf = async (key: string, address: string): Promise<KeyHolder | undefined> => {
    const hash = hashKey(key);
    try {
      const holder = await within(WATCHER_MILLISECONDS, holderOf(key, address));
      if (holder) watchers.set(hash, holder);
      else watchers.delete(hash);
      return holder;
    } catch {
      // Others wait for the database, and are told.
      return watchers.get(hash) ?? holderOf(key, address);
    }
  };
  const authenticate = async (request: FastifyRequest): Promise<KeyHolder> => {
    const key = keyOf(request, headers);
    if (key === undefined) {
      if (settings.anonymous) return theDefault(NO_KEY);
      throw errors.keyMissing(headers[0] ?? "x-service-key");
    }
    const find = request.routeOptions.url === METRICS ? watcherOf : holderOf;
    const holder = await find(key, request.ip);
    if (!holder) throw errors.keyUnknown();
    return holder;
  };

  app.after(() =>
    addConsoleSession(app, settings.anonymous, async (key, address) => (await holderOf(key, address)) !== undefined),
  );
  app.decorateRequest("account");
  app.decorateRequest("keyName", "");
  app.addHook("onRequest", async (request) => {
    const { config, url = "" } = request.routeOptions;
    if (config.isOpen || request.is404 || OPEN_PREFIXES.some((prefix) => url.startsWith(prefix))) return;
    const { account, keyName } = await authenticate(request);
    request.account = account;
    request.keyName = keyName;
  });
}
