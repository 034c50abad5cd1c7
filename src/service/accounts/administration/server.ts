// The embedded database belongs to the running service alone. So that the command line can still make a key, the
// service runs its commands: on a port of the loopback interface, for whoever can read a file of the data folder.
import { randomBytes, timingSafeEqual } from "node:crypto";
import { rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { Logger } from "pino";
import { toParlanceError } from "../../../platform/errors.ts";
import { AcceptedSockets } from "../../../platform/net/accepted-sockets.ts";
import { createHttpServer } from "../../../platform/net/http-server.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { COMMAND_NAMES, type Commands } from "./commands.ts";

/** Content of the file in the data folder that the command line reads. */
export interface AdministrationFile {
  port: number;
  token: string;
}

export interface CommandCall {
  command: keyof Commands;
  parameters: unknown[];
}

export const administrationFile = (dataDirectory: string) => path.join(dataDirectory, "administration.json");

const TOKEN_BYTES = 32;
/** The command line sends at once, from this machine. */
const STALL_MILLISECONDS = 10_000;

function isAllowed(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** @returns ends it */
export async function serveAdministration(
  commands: Commands,
  dataDirectory: string,
  logger: Logger,
): Promise<() => Promise<void>> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const answer = async (request: IncomingMessage): Promise<{ status: number; body: object }> => {
    if (!isAllowed(request, token))
      return { status: 401, body: { message: "the token is not the one of this service" } };
    try {
      const { command, parameters } = JSON.parse(await text(request)) as CommandCall;
      if (!COMMAND_NAMES.includes(command)) return { status: 404, body: { message: `no command ${command}` } };
      const run = commands[command] as (...parameters: unknown[]) => Promise<unknown>;
      const result = (await run(...parameters)) ?? null;
      if (!command.startsWith("list")) logger.info({ audit: true, command, subject: parameters[0] }, "audit");
      return { status: 200, body: { result } };
    } catch (thrown) {
      const { status, message } = toParlanceError(thrown);
      return { status, body: { message } };
    }
  };
  const sockets = new AcceptedSockets({ stallMilliseconds: STALL_MILLISECONDS, onRefused: () => undefined });
  const server = createHttpServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  }, sockets);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const file = administrationFile(dataDirectory);
  // Only a running service means anything by it: whatever is in its place belongs to an earlier one.
  await rm(file, { recursive: true, force: true });
  // Whole or not at all; after a power cut nothing uses it.
  await new Disk(false).replace(file, JSON.stringify({ port, token } satisfies AdministrationFile), 0o600);
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    sockets.destroyAll();
    await closed;
    await rm(file, { force: true });
  };
}
