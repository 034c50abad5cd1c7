// Who is asking: the account behind the key in one of the accepted headers.
import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { errors } from "../../errors.ts";
import { type Account, accountOfKey, findAccount, hashKey } from "../../storage/db/accounts.ts";
import type { Api, ApiContext } from "../context.ts";

function keyOf(request: FastifyRequest, headers: string[]): string | undefined {
  for (const header of headers) {
    const value = request.headers[header];
    const key = Array.isArray(value) ? value[0] : value;
    if (key) return key;
  }
  return undefined;
}

/** An account as it was a moment ago will do: programs that poll would cost the database a query each time. */
const RECENT_MILLISECONDS = 250;
const MOST_RECENT = 1_000;

/** Answers of `find`, by key, for a moment. */
class Recent {
  private readonly known = new Map<string, { account: Promise<Account | undefined>; until: number }>();

  get(key: string, find: () => Promise<Account | undefined>): Promise<Account | undefined> {
    const now = performance.now();
    const recent = this.known.get(key);
    if (recent && recent.until > now) return recent.account;
    if (this.known.size >= MOST_RECENT) this.known.clear();
    const account = find();
    this.known.set(key, { account, until: now + RECENT_MILLISECONDS });
    account.catch(() => this.known.delete(key));
    return account;
  }
}

/** The reference page brings routes of its own. */
const DOCS_PREFIX = "/docs";

export function addAccounts(app: Api, context: ApiContext): void {
  const { settings, database, defaultAccount } = context;
  const headers = settings.keyHeaders.split(",").map((name) => name.trim().toLowerCase());
  const configured = settings.apiKey === "" ? undefined : Buffer.from(hashKey(settings.apiKey));

  const recent = new Recent();

  /** Not as it was at the start: its limits may have been changed. */
  const theDefault = async () =>
    (await recent.get("", () => findAccount(database, defaultAccount.id))) ?? defaultAccount;
  const authenticate = async (request: FastifyRequest): Promise<Account> => {
    const key = keyOf(request, headers);
    if (key === undefined) {
      if (settings.anonymous) return theDefault();
      throw errors.keyMissing(headers[0] ?? "x-service-key");
    }
    const hash = hashKey(key);
    if (configured && timingSafeEqual(configured, Buffer.from(hash))) return theDefault();
    const account = await recent.get(hash, () => accountOfKey(database, key));
    if (!account) throw errors.keyUnknown();
    return account;
  };

  app.decorateRequest("account");
  app.addHook("onRequest", async (request) => {
    const { config, url = "" } = request.routeOptions;
    if (config.isOpen || request.is404 || url.startsWith(DOCS_PREFIX)) return;
    request.account = await authenticate(request);
  });
}
