// From the command line to a service, on this machine or another.
import { openAsBlob } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { Agent, FormData, request, WebSocket } from "undici";
import type { Socket } from "../../contract/client/live-connection.ts";
import { FetchAddress } from "../addresses/fetch-address.ts";
import { parseUrl } from "../addresses/web-url.ts";
import { socketOf } from "../config/listen-address.ts";
import { errors } from "../errors.ts";

export interface ServiceAddress {
  /** Address with or without a path, or unix:/path of a socket. */
  base: string;
  key: string;
}

interface Sent {
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  headers?: Record<string, string>;
  /** A stream has the header content-length. */
  body?: string | FormData | Readable | undefined;
  signal?: AbortSignal | undefined;
}

/** Both headers: PARLANCE_KEY_HEADERS may leave out `x-service-key`, and every service accepts `authorization`. */
const keyHeaders = (key: string): Record<string, string> =>
  key === "" ? {} : { "x-service-key": key, authorization: `Bearer ${key}` };

type Answer = Awaited<ReturnType<typeof request>>;

/** Address of requests to a service. The address of the service may have a path: that of a reverse proxy. */
const originOf = (base: string) =>
  socketOf(base) === undefined ? base.replace(/(?<!\/)\/+$/, "") : "http://localhost";

/** @returns the answer of any status @throws service.unreachable */
async function answerTo({ base, key }: ServiceAddress, sent: Sent): Promise<Answer> {
  const { method, path, headers = {}, body, signal } = sent;
  return request(originOf(base) + path, {
    ...dispatcherFor(socketOf(base)),
    method,
    headers: { ...keyHeaders(key), ...headers },
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    throw errors.serviceUnreachable(base, error);
  });
}

/** @returns where a redirect leads; undefined for any other answer */
function redirectOf({ base }: ServiceAddress, { path }: Sent, { statusCode, headers }: Answer): URL | undefined {
  const location = [headers["location"] ?? []].flat()[0];
  if (statusCode < 300 || statusCode >= 400 || location === undefined) return undefined;
  return parseUrl(location, originOf(base) + path);
}

/**
 * A redirect is not followed: the key is for the service that the caller names.
 * @throws service.redirects, with the address of the service, if the redirect keeps the path of the request; otherwise service.refused
 */
async function refuseRedirect(service: ServiceAddress, sent: Sent, answer: Answer): Promise<void> {
  const target = redirectOf(service, sent, answer);
  if (!target) return;
  await answer.body.dump();
  const { origin, pathname, search } = target;
  const shown = (path: string) => FetchAddress.of(origin + path).shown;
  const [path = "", query] = sent.path.split("?");
  // Another page, such as one for signing in, is no address of the service.
  const isSame = pathname.endsWith(path) && search === (query === undefined ? "" : `?${query}`);
  if (!isSame) throw errors.serviceRefused(`${service.base} redirects to ${shown(pathname)}`, answer.statusCode);
  throw errors.serviceRedirects(service.base, shown(pathname.slice(0, -path.length)));
}

const hasSucceeded = ({ statusCode }: Answer) => statusCode >= 200 && statusCode < 300;

/** @throws what the service answers, unless the status is one of success */
async function refuseFailure({ base }: ServiceAddress, answer: Answer): Promise<void> {
  // Another program may answer there.
  if (!hasSucceeded(answer)) throwRefusal(base, answer.statusCode, await answer.body.json().catch(() => undefined));
}

/** @returns the answer with a status of success @throws service.unreachable, service.redirects, or what the service answers */
async function send(service: ServiceAddress, sent: Sent): Promise<Answer> {
  const answer = await answerTo(service, sent);
  await refuseRedirect(service, sent, answer);
  await refuseFailure(service, answer);
  return answer;
}

/** @param signal  aborts the request @throws service.unreachable, or what the service answers */
export async function askService(
  service: ServiceAddress,
  method: Sent["method"],
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Buffer> {
  const json = body ? { headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {};
  return contentOf(service, await send(service, { method, path, signal, ...json }));
}

/** @throws service.unreachable if the connection breaks */
async function contentOf({ base }: ServiceAddress, { body }: Answer): Promise<Buffer> {
  try {
    return Buffer.from(await body.arrayBuffer());
  } catch (error) {
    throw errors.serviceUnreachable(base, error);
  }
}

/**
 * @returns size and time of the last change
 * @throws file.missing, or the error of the file system: for both, a blob has one error without a reason
 */
async function stateOf(file: string): Promise<string> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? errors.fileMissing(file, false) : error;
  });
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw errors.fileMissing(file, true);
    return `${found.size} ${found.mtimeMs}`;
  } finally {
    await handle.close();
  }
}

/** Whether a request ended because its file changed or could no longer be read. */
function isOfFile(error: unknown): boolean {
  const { name, cause } = (error ?? {}) as Error;
  return name === "NotReadableError" || (cause !== undefined && isOfFile(cause));
}

/**
 * Sends a file as a form; it is not read into memory.
 * @throws file.missing, file.changed, service.unreachable, or what the service answers
 */
export async function sendFile(
  service: ServiceAddress,
  path: string,
  file: string,
  name: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const state = await stateOf(file);
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.set(field, value);
  body.set("audio", await openAsBlob(file), name);
  const answer = await send(service, { method: "POST", path, body }).catch(async (error: unknown) => {
    throw isOfFile(error) && (await stateOf(file)) !== state ? errors.fileChanged(file) : error;
  });
  return contentOf(service, answer);
}

export interface Exchanged {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Undefined unless the answer is JSON. */
  json: unknown;
}

/** Sends a request. @returns the answer of any status but that of a redirect @throws service.unreachable, service.redirects */
export async function exchange(service: ServiceAddress, sent: Sent): Promise<Exchanged> {
  const answer = await answerTo(service, sent);
  await refuseRedirect(service, sent, answer);
  const { statusCode: status, headers, body } = answer;
  try {
    const text = await body.text();
    const isJson = String(headers["content-type"]).startsWith("application/json");
    // The answer to HEAD has no content.
    return { status, headers, json: isJson && text !== "" ? JSON.parse(text) : undefined };
  } catch (error) {
    throw errors.serviceUnreachable(service.base, error);
  }
}

/** @throws service.refused, service.refused_request: what the service answers with a status other than of success */
export function throwRefusal(base: string, statusCode: number, answer: unknown): never {
  // Another program may answer there.
  const problem = (answer ?? {}) as { message?: string; validation_errors?: string[] };
  const advice = statusCode === 401 ? ". Name a key with --key or PARLANCE_API_KEY" : "";
  const message = problem.validation_errors?.join("; ") ?? problem.message ?? `${base} answered ${statusCode}`;
  const refused = problem.validation_errors ? errors.serviceRefusedRequest : errors.serviceRefused;
  throw refused(message + advice, statusCode);
}

/**
 * One redirect is followed, without the key: the object store of the service may send the content itself.
 * @returns content of unbounded size @throws service.unreachable, or what the service or the store answers
 */
export async function openContent(service: ServiceAddress, path: string): Promise<Readable> {
  const sent = { method: "GET" as const, path };
  const answer = await answerTo(service, sent);
  const target = redirectOf(service, sent, answer);
  if (!target) {
    await refuseFailure(service, answer);
    return answer.body;
  }
  await answer.body.dump();
  const { origin, protocol } = target;
  if (!/^https?:$/.test(protocol))
    throw errors.serviceRefused(`${service.base} redirects to ${protocol}`, answer.statusCode);
  const isOwn = origin === new URL(originOf(service.base)).origin;
  const content = await request(target, isOwn ? dispatcherFor(socketOf(service.base)) : {}).catch((error: unknown) => {
    throw errors.serviceUnreachable(origin, error);
  });
  if (hasSucceeded(content)) return content.body;
  await content.body.dump();
  throw errors.serviceRefused(
    `${origin}, to which ${service.base} redirects, answered ${content.statusCode}`,
    content.statusCode,
  );
}

/** @param url  from the answer of the service at `base` */
export function openSocket({ base }: ServiceAddress, url: string): Socket {
  return new WebSocket(url, dispatcherFor(socketOf(base))) as unknown as Socket;
}

function dispatcherFor(socketPath: string | undefined): { dispatcher?: Agent } {
  return socketPath === undefined ? {} : { dispatcher: new Agent({ connect: { socketPath } }) };
}
