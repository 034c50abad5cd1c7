// Finds or creates the session of a stream: with the token of a session that POST /v2/live created, or with the key of an account.

import type { IncomingHttpHeaders } from "node:http";
import type { LiveBody } from "../../../../contract/live.ts";
import { errors } from "../../../../platform/errors.ts";
import { bytesPerFrame, type StreamFormat } from "../../../../speech/audio/stream-format.ts";
import { interfaceOf, type Opening, OTHER_INTERFACE_EVENTS, type Owner, type Sessions } from "../dialect.ts";
import { isFields, shown } from "../text-message.ts";
import { type Parameter, readParameters } from "./parameters.ts";

const AUTHORIZATION = /^(?:bearer|token)\s+(\S+)\s*$/i;
const BASIC = /^basic\s+([A-Za-z0-9+/=]{1,2000})\s*$/i;
/** The headers of this service's own interface; the secret of a server of Vapi; `stream_auth_token` of Telnyx. */
const KEY_HEADERS = ["x-service-key", "x-gladia-key", "x-vapi-secret", "x-telnyx-streaming-auth-token"];
/** Of an address or of a start message: the key of an account, and the token of a session that POST /v2/live created. */
const KEY_PARAMETER = "key";
const TOKEN_PARAMETER = "token";

/** The password of Basic, or the user's name if there is no password. */
function basicKey(encoded: string): string | undefined {
  const [name = "", ...password] = Buffer.from(encoded, "base64").toString().split(":");
  return password.join(":") || name || undefined;
}

/**
 * Platforms that can set headers send the key in one; the others send a parameter. Neither is ever logged.
 * @returns the key in the headers of a request; undefined without one
 */
function headerKey(headers: IncomingHttpHeaders): string | undefined {
  const authorization = headers.authorization ?? "";
  const named = KEY_HEADERS.map((name) => headers[name]).find((value) => typeof value === "string" && value !== "");
  const basic = BASIC.exec(authorization)?.[1];
  return (
    AUTHORIZATION.exec(authorization)?.[1] ?? (basic === undefined ? undefined : basicKey(basic)) ?? (named as string)
  );
}

const BYTE_BITS = 8;
const UNAUTHORIZED = 401;

/** What a client has stated when its session begins. */
export interface StreamStart {
  format: StreamFormat;
  /** Of the start message. Parameters that are neither options nor keys become metadata of the session. */
  parameters?: readonly Parameter[];
  /** Ids of the call. */
  metadata?: Readonly<Record<string, unknown>>;
  /** Options of the interface itself; parameters take precedence over them. */
  options?: Readonly<Record<string, unknown>>;
  sendsPartials?: boolean;
  /** Parts of the start message without effect, a sentence each. */
  ineffective?: readonly string[];
}

/**
 * @property isOwn     whether the session was created for this connection, so that it ends with it
 * @property warnings  what has no effect and does not stand among the warnings of the session yet
 */
export interface OpenedSession<Found> {
  found: Found;
  isOwn: boolean;
  warnings: string[];
}

/** @param names  parameters of the address that the interface reads itself */
export const addressParameters = ({ query }: Opening, names: readonly string[] = []): Parameter[] =>
  [...query].filter(([name]) => !names.includes(name));

/** Options of the interface with those of the parameters in them. */
function merged(options: Readonly<Record<string, unknown>>, given: Record<string, unknown>): Record<string, unknown> {
  const all: Record<string, unknown> = { ...options };
  for (const [name, value] of Object.entries(given)) {
    const before = all[name];
    all[name] = isFields(before) && isFields(value) ? { ...before, ...value } : value;
  }
  return all;
}

interface Split {
  /** Without the key and the token. */
  options: Parameter[];
  key: string | undefined;
  token: string | undefined;
}

function split(parameters: readonly Parameter[]): Split {
  const textOf = (wanted: string) => parameters.find(([name, value]) => name === wanted && value !== "")?.[1];
  const options = parameters.filter(([name]) => name !== KEY_PARAMETER && name !== TOKEN_PARAMETER);
  return { options, key: textOf(KEY_PARAMETER), token: textOf(TOKEN_PARAMETER) };
}

const sentence = ({ encoding, bitDepth, sampleRate, channels }: StreamFormat) =>
  `encoding ${encoding}, ${bytesPerFrame({ encoding, bitDepth, sampleRate, channels: 1 }) * BYTE_BITS} bits, sample_rate ${sampleRate}, channels ${channels}`;

/** @throws request.invalid if the stream does not have the format of the session */
function checkFormat(format: StreamFormat, params: Readonly<Record<string, unknown>>): void {
  const ofSession = {
    encoding: params["encoding"],
    bitDepth: params["bit_depth"],
    sampleRate: params["sample_rate"],
    channels: params["channels"],
  } as StreamFormat;
  const [wanted, given] = [sentence(ofSession), sentence(format)];
  if (wanted === given) return;
  throw errors.invalidParameters([
    `token: the session has ${wanted}; the stream has ${given}. Create it like the stream`,
  ]);
}

/** What the caller gave, and what of it has no effect, a sentence each. */
interface Given {
  options: Record<string, unknown>;
  /** Parameters of the start message that are no options. */
  metadata: Parameter[];
  ineffective: string[];
}

/** @throws request.invalid */
function givenBy(start: StreamStart, ofAddress: Split, ofStart: Split, isStrict: boolean): Given {
  const { given, problems } = readParameters([...ofAddress.options, ...ofStart.options]);
  // An unknown parameter of the address is a mistake of the caller; one of a start message is the caller's metadata.
  const unknown = readParameters(ofAddress.options).others.map(([name]) => shown(name));
  const ofAddressOnly = unknown.map((name) => `${name} has no effect: it is not a parameter of this address`);
  const ineffective = [...(start.ineffective ?? []), ...ofAddressOnly];
  if (isStrict) problems.push(...ineffective);
  if (problems.length > 0) throw errors.invalidParameters(problems);
  return { options: given, metadata: readParameters(ofStart.options).others, ineffective };
}

async function withToken<Found>(
  token: string,
  start: StreamStart,
  { options, metadata, ineffective }: Given,
  opening: Opening,
  sessions: Sessions<Found>,
): Promise<OpenedSession<Found>> {
  const names = Object.keys(options);
  if (names.length > 0) {
    const problem = `${names.join(", ")}: with token, POST /v2/live has the options of the session`;
    throw errors.invalidParameters([problem]);
  }
  const { found, params } = await sessions.withToken(token, opening.at);
  if (params) checkFormat(start.format, params);
  const without = (names: readonly string[], what: string) =>
    names.map((name) => `${shown(name)} has no effect: with token, POST /v2/live has the ${what}`);
  const ofInterface = without(Object.keys(start.options ?? {}), "options");
  const ofCaller = without(
    metadata.map(([name]) => name),
    "metadata",
  );
  return { found, isOwn: false, warnings: [...ineffective, ...ofInterface, ...ofCaller] };
}

/** A key or a token of the address or the headers, judged before the first message. */
export class EarlyAccess {
  /** Of the key. */
  owner: Owner | undefined;

  /** @param mayFollow  whether the first message may have a key */
  constructor(
    private readonly opening: Opening,
    private readonly mayFollow: boolean,
  ) {}

  /** As `Conversation.authenticate`. A token opens one session, and is no proof of an account. */
  async authenticate<Found>(sessions: Sessions<Found>): Promise<boolean> {
    const { key, token } = split(addressParameters(this.opening));
    if (token !== undefined) {
      if (!(await sessions.isToken(token))) throw errors.upgradeRefused("the token is unknown", UNAUTHORIZED);
      return false;
    }
    const given = headerKey(this.opening.headers) ?? key;
    if (given === undefined && this.mayFollow) return false;
    this.owner = accountOwner(await sessions.authenticate(given));
    return true;
  }
}

/** Client secrets configure sessions of other interfaces. @throws account.key_unknown */
function accountOwner(owner: Owner): Owner {
  if (interfaceOf(owner) !== undefined) throw errors.keyUnknown();
  return owner;
}

/**
 * @param early    judged before; a key in the start message is not used then
 * @param address  parameters of the address, without those that the interface reads itself
 * @throws account.key_missing, account.key_unknown, request.invalid, what `Sessions.create` throws
 */
export async function openSession<Found>(
  start: StreamStart,
  address: readonly Parameter[],
  opening: Opening,
  sessions: Sessions<Found>,
  early?: Owner,
): Promise<OpenedSession<Found>> {
  const [ofAddress, ofStart] = [split(address), split(start.parameters ?? [])];
  const token = ofStart.token ?? ofAddress.token;
  if (token !== undefined) {
    return withToken(token, start, givenBy(start, ofAddress, ofStart, sessions.isStrict), opening, sessions);
  }
  const key = headerKey(opening.headers) ?? ofStart.key ?? ofAddress.key;
  const owner = early ?? accountOwner(await sessions.authenticate(key));
  const { options, metadata, ineffective } = givenBy(start, ofAddress, ofStart, sessions.isStrict);
  const { encoding, bitDepth, sampleRate, channels } = start.format;
  const { body, warnings } = sessions.judge({
    ...merged(start.options ?? {}, options),
    encoding,
    ...(encoding === "wav/pcm" ? { bit_depth: bitDepth } : {}),
    sample_rate: sampleRate,
    channels,
    custom_metadata: { ...start.metadata, ...Object.fromEntries(metadata) },
    messages_config: messagesOf(start),
  });
  const client = { reconnects: false };
  const { found } = await sessions.create({ owner, body, warnings: [...ineffective, ...warnings], client }, opening.at);
  return { found, isOwn: true, warnings: [] };
}

const messagesOf = ({ sendsPartials }: StreamStart): LiveBody["messages_config"] => ({
  ...OTHER_INTERFACE_EVENTS,
  receive_partial_transcripts: sendsPartials === true,
  receive_lifecycle_events: true,
});
