// How conversations find or create their sessions: by the token of a session, or with an account key.
import type { IncomingMessage } from "node:http";
import type { LiveBody } from "../../../contract/live.ts";
import { tokensIn } from "../../../platform/config/sections/access.ts";
import type { Settings } from "../../../platform/config/settings.ts";
import { errors, type ParlanceError } from "../../../platform/errors.ts";
import type { Forwarding } from "../../../platform/net/forwarding.ts";
import { RequestOrigins } from "../../../platform/net/request-origin.ts";
import { isKeyValid } from "../../../platform/storage/db/accounts/accounts.ts";
import type { Database } from "../../../platform/storage/db/database.ts";
import { isUuid } from "../../../platform/storage/db/ids.ts";
import { findJob } from "../../../platform/storage/db/jobs/jobs.ts";
import { jobOfToken, keyOfSession } from "../../../platform/storage/db/jobs/live-sessions.ts";
import { type ClientSecrets, isClientSecret } from "../../accounts/client-secrets.ts";
import type { KeyHolders } from "../../accounts/key-holders.ts";
import type { RequestRates } from "../../accounts/request-rates.ts";
import { assemblyAiModel } from "../../assemblyai/models.ts";
import { listenModel } from "../../deepgram/models.ts";
import { DEFAULT_MODEL, type ModelStore } from "../../models/store.ts";
import { modelNamed } from "../../openai/model-names.ts";
import type { Owner, Sessions, SignedAddress, WantedSession } from "../dialects/dialect.ts";
import type { SessionCreation } from "../session/creation.ts";
import type { LiveRegistry, TokenOutcome } from "../session/registry.ts";

export interface AccessServices {
  database: Database;
  registry: LiveRegistry;
  creation: SessionCreation;
  keys: KeyHolders;
  clientSecrets: ClientSecrets;
  models: ModelStore;
  forwarding: Forwarding;
  requestRates: RequestRates;
  settings: Settings;
  /** The rules of POST /v2/live. @throws request.invalid */
  judgeLiveBody(given: Record<string, unknown>): { body: LiveBody; warnings: string[] };
}

const assemblyAiNamed: typeof listenModel = (name, models) => assemblyAiModel([name], models);
const MODEL_NAMES = { openai: modelNamed, deepgram: listenModel, assemblyai: assemblyAiNamed };

type Params = Record<string, unknown>;

function paramsOf(row: { request_params: unknown }): Params;
function paramsOf(row: { request_params: unknown } | undefined): Params | undefined;
function paramsOf(row: { request_params: unknown } | undefined): Params | undefined {
  return row?.request_params as Params | undefined;
}

export class SessionAccess {
  private readonly origins: RequestOrigins;
  private readonly twilioTokens: readonly string[];

  constructor(private readonly services: AccessServices) {
    this.origins = new RequestOrigins(services.settings);
    this.twilioTokens = tokensIn(services.settings.twilioAuthTokens);
  }

  /** Longest time without a frame, milliseconds. */
  get idleMilliseconds(): number {
    return this.services.settings.liveIdleSeconds * 1000;
  }

  /** Whether this process takes no new sessions, or none at all. */
  get mayRefuse(): boolean {
    return this.services.registry.capacity.connectionRefusal !== undefined;
  }

  /** Whether this process can store no sessions at present. */
  get isStorageDown(): boolean {
    return this.services.registry.capacity.storageProblem !== undefined;
  }

  /** Why the connection must not be opened. @param query  of the request */
  refusalOf(query: URLSearchParams): Promise<ParlanceError | undefined> {
    return this.services.registry.refusalOf(query.get("token") ?? "");
  }

  /** Counts a connection as a request of its account. @throws limit.requests */
  async countRequest({ account }: Owner): Promise<void> {
    await this.services.requestRates.take(account);
  }

  /** Path and query of a request, without the prefix of a reverse proxy. */
  targetOf(request: IncomingMessage): string | undefined {
    return this.services.forwarding.routeTarget(request);
  }

  /** The sessions that the client of a request may use. */
  of(request: IncomingMessage): Sessions<TokenOutcome> {
    const signed = this.signedAddressOf(request);
    return { ...this.sessionsOf((key) => this.authenticate(key, request)), signed };
  }

  /** What the signature of a request to Twilio's address is compared with; undefined if no signature is required. */
  private signedAddressOf(request: IncomingMessage): SignedAddress | undefined {
    if (this.twilioTokens.length === 0) return undefined;
    const { forwarding } = this.services;
    const { host = "", prefix } = forwarding.viewOf(request);
    const base = forwarding.published?.base.replace(/^https?:\/\//, "") ?? `${host}${prefix}`;
    return { tokens: this.twilioTokens, address: `${base}${forwarding.routeTarget(request) ?? ""}` };
  }

  /** Those of a listener whose clients send no keys. @param key  of its setting @param name  of the listener */
  ofListener(key: string, name: string): Sessions<TokenOutcome> {
    return this.sessionsOf(async () => {
      const owner = await this.services.keys.ofListener(key, name);
      if (!owner) throw errors.keyUnknown();
      return owner;
    });
  }

  private sessionsOf(authenticate: Sessions<TokenOutcome>["authenticate"]): Sessions<TokenOutcome> {
    const { database, registry, creation, models, settings, judgeLiveBody } = this.services;
    return {
      byToken: (token, at) => registry.byToken(token, at),
      isToken: async (token) => (await jobOfToken(database, token)) !== undefined,
      withToken: async (token, at) => ({
        params: token === "" ? undefined : paramsOf(await jobOfToken(database, token)),
        found: await registry.byToken(token, at),
      }),
      judge: (given) => {
        const { body, warnings } = judgeLiveBody(given);
        return { body: { ...body, model: body.model ?? DEFAULT_MODEL }, warnings };
      },
      authenticate,
      isStrict: settings.strictRequests,
      signed: undefined,
      longestSeconds: settings.liveMaximumSeconds,
      idleSeconds: settings.liveIdleSeconds,
      modelNamed: (name, of) => MODEL_NAMES[of](name, models),
      create: async ({ owner: { account, keyId }, body, warnings, client }: WantedSession, at) => {
        // The key may have been revoked while the connection waited.
        if (!(await isKeyValid(database, keyId))) throw errors.keyUnknown();
        // This process opens the session, so that a place or a model of another process is of no use.
        const refusal = registry.capacity.connectionRefusal;
        if (refusal) throw refusal;
        const { id, token } = await creation.create({ account, keyId, body, warnings, client, opensHere: true });
        return { id, found: await registry.byToken(token, at) };
      },
      resume: async ({ account, keyId, configuration }, id, at) => {
        const row = isUuid(id) ? await findJob(database, id) : undefined;
        const isOwn = row?.kind === "live" && row.account_id === account.id;
        // A client secret opens sessions of its key alone, so that one which was renewed continues them.
        const mayOpen = isOwn && (configuration === undefined || (await keyOfSession(database, id)) === keyId);
        if (!mayOpen) throw errors.notFound("The session");
        return { params: paramsOf(row), found: await registry.byRow(row, at) };
      },
    };
  }

  private async authenticate(key: string | undefined, request: IncomingMessage): Promise<Owner> {
    const { keys, clientSecrets, forwarding } = this.services;
    if (key === undefined) {
      const anonymous = await keys.anonymous();
      if (!anonymous) throw errors.keyMissing("authorization");
      // A page of another site can open WebSockets, too.
      const { headers } = request;
      this.origins.check({ method: "POST", headers, raw: request, clientView: forwarding.viewOf(request) });
      return anonymous;
    }
    const owner = isClientSecret(key)
      ? await clientSecrets.open(key)
      : await keys.holderOf(key, forwarding.addressOf(request));
    if (!owner) throw errors.keyUnknown();
    return owner;
  }
}
