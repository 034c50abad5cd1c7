// From the command line to a service, on this machine or another.
import { openAsBlob } from "node:fs";
import type { Readable } from "node:stream";
import { Agent, FormData, request, WebSocket } from "undici";
import type { Socket } from "../../contract/client/live-connection.ts";
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

/** @returns the answer of any status @throws service.unreachable */
async function answerTo({ base, key }: ServiceAddress, { method, path, headers = {}, body, signal }: Sent) {
  const socketPath = socketOf(base);
  // The address may have a path: that of a reverse proxy.
  const origin = socketPath === undefined ? base.replace(/(?<!\/)\/+$/, "") : "http://localhost";
  return request(origin + path, {
    ...dispatcherFor(socketPath),
    method,
    headers: { ...keyHeaders(key), ...headers },
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    throw errors.serviceUnreachable(base, error);
  });
}

/** @returns the answer with a status below 400 @throws service.unreachable, or what the service answers */
async function send(service: ServiceAddress, sent: Sent) {
  const { base } = service;
  const answer = await answerTo(service, sent);
  if (answer.statusCode < 400) return answer;
  // Another program may answer there.
  throwRefusal(base, answer.statusCode, await answer.body.json().catch(() => undefined));
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
async function contentOf({ base }: ServiceAddress, { body }: Awaited<ReturnType<typeof send>>): Promise<Buffer> {
  try {
    return Buffer.from(await body.arrayBuffer());
  } catch (error) {
    throw errors.serviceUnreachable(base, error);
  }
}

/** Sends a file as a form; it is not read into memory. @throws service.unreachable, or what the service answers */
export async function sendFile(
  service: ServiceAddress,
  path: string,
  file: string,
  name: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.set(field, value);
  body.set("audio", await openAsBlob(file), name);
  return contentOf(service, await send(service, { method: "POST", path, body }));
}

export interface Exchanged {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Undefined unless the answer is JSON. */
  json: unknown;
}

/** Sends a request. @returns the answer of any status @throws service.unreachable */
export async function exchange(service: ServiceAddress, sent: Sent): Promise<Exchanged> {
  const { statusCode: status, headers, body } = await answerTo(service, sent);
  try {
    const text = await body.text();
    const isJson = String(headers["content-type"]).startsWith("application/json");
    return { status, headers, json: isJson ? JSON.parse(text) : undefined };
  } catch (error) {
    throw errors.serviceUnreachable(service.base, error);
  }
}

/** @throws service.refused, service.refused_request: what the service answers with a status from 400 on */
export function throwRefusal(base: string, statusCode: number, answer: unknown): never {
  // Another program may answer there.
  const problem = (answer ?? {}) as { message?: string; validation_errors?: string[] };
  const advice = statusCode === 401 ? ". Name a key with --key or PARLANCE_API_KEY" : "";
  const message = problem.validation_errors?.join("; ") ?? problem.message ?? `${base} answered ${statusCode}`;
  const refused = problem.validation_errors ? errors.serviceRefusedRequest : errors.serviceRefused;
  throw refused(message + advice, statusCode);
}

/** @returns content of unbounded size @throws service.unreachable, or what the service answers */
export async function openContent(service: ServiceAddress, path: string): Promise<Readable> {
  return (await send(service, { method: "GET", path })).body;
}

/** @param url  from the answer of the service at `base` */
export function openSocket({ base }: ServiceAddress, url: string): Socket {
  return new WebSocket(url, dispatcherFor(socketOf(base))) as unknown as Socket;
}

function dispatcherFor(socketPath: string | undefined): { dispatcher?: Agent } {
  return socketPath === undefined ? {} : { dispatcher: new Agent({ connect: { socketPath } }) };
}
