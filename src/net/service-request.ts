// From the command line to a service, on this machine or another.
import { Agent, request, WebSocket } from "undici";
import type { Socket } from "../client/live-connection.ts";
import { socketOf } from "../config/listen-address.ts";
import { ParlanceError } from "../errors.ts";

export interface ServiceAddress {
  /** Address with or without a path, or unix:/path of a socket. */
  base: string;
  key: string;
}

/** @throws service.unreachable, or what the service answers */
export async function askService(
  { base, key }: ServiceAddress,
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: object,
): Promise<Buffer> {
  const socketPath = socketOf(base);
  // The address may have a path: that of a reverse proxy.
  const origin = socketPath === undefined ? base.replace(/\/+$/, "") : "http://localhost";
  const answer = await request(origin + path, {
    ...dispatcherFor(socketPath),
    method,
    headers: {
      ...(key === "" ? {} : { "x-service-key": key }),
      ...(body ? { "content-type": "application/json" } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch((error: unknown) => {
    throw new ParlanceError(`no service answers at ${base}; is it running? Name another one with --server`, {
      code: "service.unreachable",
      status: 503,
      cause: error,
    });
  });
  const content = Buffer.from(await answer.body.arrayBuffer());
  if (answer.statusCode < 400) return content;
  let told: { message?: string; validation_errors?: string[] } = {};
  try {
    told = JSON.parse(content.toString()) as typeof told;
  } catch {
    // Somebody else answers there.
  }
  const advice = answer.statusCode === 401 ? ". Name a key with --key or PARLANCE_API_KEY" : "";
  const message = told.validation_errors?.join("; ") ?? told.message ?? `${base} answered ${answer.statusCode}`;
  throw new ParlanceError(message + advice, { code: "service.refused", status: answer.statusCode });
}

/** @param url  from the answer of the service at `base` */
export function openSocket({ base }: ServiceAddress, url: string): Socket {
  return new WebSocket(url, dispatcherFor(socketOf(base))) as unknown as Socket;
}

function dispatcherFor(socketPath: string | undefined): { dispatcher?: Agent } {
  return socketPath === undefined ? {} : { dispatcher: new Agent({ connect: { socketPath } }) };
}
