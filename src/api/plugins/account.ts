// The account behind a request: that of the key in one of the accepted headers or the console's cookie.
import type { FastifyRequest } from "fastify";
import { CONSOLE_ACCOUNT } from "../../contract/console-account.ts";
import { keyHeaderNames } from "../../platform/config/key-headers.ts";
import { errors } from "../../platform/errors.ts";
import { RequestOrigins } from "../../platform/net/request-origin.ts";
import { within } from "../../platform/process/within.ts";
import { findAccount, hashKey, type KeyHolder } from "../../platform/storage/db/accounts/accounts.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { jobOfViewerToken } from "../../platform/storage/db/jobs/live-sessions.ts";
import { shareOfToken } from "../../platform/storage/db/jobs/shares.ts";
import { isOperator } from "../../service/accounts/operator.ts";
import { addConsoleSession, cookieKey } from "../console/session.ts";
import type { Api, ApiContext } from "../context.ts";

const METRICS = "/metrics";
/**
 * Accepted by every route: clients of OpenAI's interface, Prometheus and generated clients send their key as Bearer, those of Deepgram's as
 * Token.
 */
const BEARER = /^(?:bearer|token)\s+(\S+)\s*$/i;

/** The key alone, as clients of AssemblyAI's interface send it. */
const BARE = /^(\S+)\s*$/;

/** The form in which programs without a setting for headers send the password of the address. */
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
  const { authorization = "" } = request.headers;
  const bare = request.routeOptions.config.takesBareKey ? BARE.exec(authorization)?.[1] : undefined;
  return BEARER.exec(authorization)?.[1] ?? bare;
}

/** Longest look-up of a key for the metrics: they are answered in time while the database does not answer. */
const WATCHER_MILLISECONDS = 2_000;

/** The reference page and the console bring routes of their own. */
const OPEN_PREFIXES = ["/docs", "/assets/"];

/**
 * Refuses a request of a page that shows another account than the one that is signed in: another window may have changed the sign-in.
 * @throws account.not_signed_in
 */
function checkShownAccount({ headers: { [CONSOLE_ACCOUNT]: shown } }: FastifyRequest, { account }: KeyHolder): void {
  if (shown !== undefined && shown !== encodeURIComponent(account.name)) throw errors.notSignedIn();
}

/** The account of the live session whose captions the token in the address reads. @throws account.key_unknown */
async function holderOfToken(request: FastifyRequest, token: unknown, database: Database): Promise<KeyHolder> {
  const row = typeof token === "string" && token !== "" ? await jobOfViewerToken(database, token) : undefined;
  const isOwn = row?.id === (request.params as { id?: string }).id;
  const account = row && isOwn && !row.is_revoked ? await findAccount(database, row.account_id) : undefined;
  if (!account) throw errors.keyUnknown();
  return { account, keyName: "", keyId: null };
}

/** The link whose token is in the header authorization or, for players, in the address. @throws share.unavailable */
async function shareOf(request: FastifyRequest, database: Database) {
  const { authorization = "" } = request.headers;
  const { token = BEARER.exec(authorization)?.[1] } = request.query as { token?: unknown };
  const share = typeof token === "string" ? await shareOfToken(database, token) : undefined;
  const account = share && (await findAccount(database, share.account_id));
  if (!account) throw errors.shareUnavailable();
  return { share, account, keyName: "", keyId: null };
}

export function addAccounts(app: Api, context: Pick<ApiContext, "database" | "keys" | "settings">): void {
  const { database, keys, settings } = context;
  const headers = keyHeaderNames(settings).map((name) => name.toLowerCase());
  const origins = new RequestOrigins(settings);
  /** Holders of keys that have read /metrics before. These keys stay valid there while the database does not answer. */
  const watchers = new Map<string, KeyHolder>();
  const watcherOf = async (key: string, address: string): Promise<KeyHolder | undefined> => {
    const hash = hashKey(key);
    let holder: KeyHolder | undefined;
    try {
      holder = await within(WATCHER_MILLISECONDS, keys.holderOf(key, address, true));
      if (holder && isOperator(holder.account)) watchers.set(hash, holder);
      else watchers.delete(hash);
    } catch {
      // For a key that has not read the metrics before, the error of the database is returned.
      holder = watchers.get(hash) ?? (await keys.holderOf(key, address, true));
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
    // With PARLANCE_ANONYMOUS, the password belongs to a proxy in front of the service.
    if (key === undefined && request.routeOptions.config.takesBasicKey && !settings.anonymous) {
      key = basicKey(request);
      // If a user opened the address, the browser also sends the password with requests of pages of other sites.
      if (key !== undefined) origins.checkPage(request);
    }
    if (key === undefined) {
      const anonymous = await keys.anonymous();
      if (anonymous) return anonymous;
      throw errors.keyMissing(headers[0] ?? "x-service-key");
    }
    const isMetrics = request.routeOptions.url === METRICS;
    const holder = await (isMetrics ? watcherOf(key, request.ip) : keys.holderOf(key, request.ip));
    if (!holder) throw errors.keyUnknown();
    return holder;
  };
  const isKey = async (key: string, address: string) => (await keys.holderOf(key, address)) !== undefined;

  app.after(() => addConsoleSession(app, { isAnonymous: settings.anonymous, origins, isKey }));
  app.decorateRequest("account");
  app.decorateRequest("keyName", "");
  app.decorateRequest("keyId", null);
  app.decorateRequest("share");
  app.addHook("onRequest", async (request) => {
    const { config, url = "" } = request.routeOptions;
    if (config.isOpen || request.is404 || OPEN_PREFIXES.some((prefix) => url.startsWith(prefix))) return;
    if (config.takesShareToken) {
      Object.assign(request, await shareOf(request, database));
      return;
    }
    const { token } = request.query as { token?: unknown };
    const byToken = config.takesSessionToken && token !== undefined;
    const holder = await (byToken ? holderOfToken(request, token, database) : authenticate(request));
    checkShownAccount(request, holder);
    Object.assign(request, holder);
  });
}
