// The sockets of the HTTP interface: where it listens, and how it stops.
import { lookup } from "node:dns/promises";
import { constants } from "node:fs";
import { access, chmod, lstat, stat, unlink } from "node:fs/promises";
import type { RequestListener, Server } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import path from "node:path";
import { type ListenAddress, listenAddressOf, localTargets, shownTarget } from "../platform/config/listen-address.ts";
import type { Settings } from "../platform/config/settings.ts";
import { errors, type ParlanceError } from "../platform/errors.ts";
import type { AcceptedSockets } from "../platform/net/accepted-sockets.ts";
import { createHttpServer, type ServerOptions } from "../platform/net/http-server.ts";
import { within } from "../platform/process/within.ts";
import type { Api } from "./context.ts";

export type ListenSettings = Pick<Settings, "port" | "host" | "socketMode">;

/** Programs of this machine connect to a Unix socket. Its connections have no address of their own. */
const SOCKET_PEER = "127.0.0.1";

export class ApiServer {
  private handler: RequestListener | undefined;
  /** Of further addresses of the same host. */
  private readonly others: Server[] = [];

  constructor(
    private readonly sockets: AcceptedSockets,
    private readonly options: ServerOptions,
  ) {}

  /** Fastify's server. */
  readonly factory = (handler: RequestListener): Server => {
    this.handler = handler;
    return createHttpServer(handler, this.sockets, this.options);
  };

  /**
   * @returns address at which programs of this machine reach it: http://localhost:8080, or unix:/path
   * @throws service.cannot_listen
   */
  async listen(api: Api, settings: ListenSettings): Promise<string> {
    const address = listenAddressOf(settings);
    try {
      if (address.kind === "socket") return await this.listenOnSocket(api, address.path, settings.socketMode);
      const host = await usableHost(address.hosts);
      await api.listen({ port: address.port, host });
      const bound = api.server.address() as AddressInfo;
      // "localhost" resolves to an IPv4 and an IPv6 address. Fastify binds only the first one on a server that we create.
      if (host === "localhost") await this.listenElsewhere(bound);
      const [target] = localTargets({ host, port: bound.port });
      return shownTarget(target as { host: string; port: number });
    } catch (error) {
      throw listenError(error as NodeJS.ErrnoException, address) ?? error;
    }
  }

  /** Requests under way have this long to end; then their connections are destroyed. */
  async stop(api: Api, milliseconds: number): Promise<void> {
    this.sockets.stop();
    for (const other of this.others) other.close();
    const closed = api.close();
    await within(milliseconds, closed).catch(() => this.sockets.destroyAll());
    await closed;
  }

  private async listenOnSocket(api: Api, socketPath: string, mode: string): Promise<string> {
    await checkFolder(socketPath);
    await removeStaleSocket(socketPath);
    // Limits and the audit log count by address.
    api.server.on("connection", (socket: Socket) =>
      Object.defineProperty(socket, "remoteAddress", { value: SOCKET_PEER }),
    );
    await api.listen({ path: socketPath });
    await chmod(socketPath, Number.parseInt(mode, 8));
    return shownTarget({ socketPath });
  }

  private async listenElsewhere(first: AddressInfo): Promise<void> {
    for (const { address } of await lookup("localhost", { all: true })) {
      if (address === first.address || !this.handler) continue;
      const server = createHttpServer(this.handler, this.sockets, this.options);
      this.others.push(server);
      // An address that this machine does not have is left out.
      await new Promise<void>((resolve) => {
        server.once("error", () => resolve());
        server.listen(first.port, address, resolve);
      });
    }
  }
}

/** @returns the first host of a family that this machine has, or the last */
async function usableHost(hosts: readonly string[]): Promise<string> {
  for (const host of hosts.slice(0, -1)) {
    const isUsable = await new Promise<boolean>((resolve) => {
      const probe = createServer();
      probe.once("error", () => resolve(false));
      probe.listen(0, host, () => probe.close(() => resolve(true)));
    });
    if (isUsable) return host;
  }
  return hosts.at(-1) as string;
}

/** Node reports a missing folder as a lack of permission. @throws ENOENT, ENOTDIR, EACCES */
async function checkFolder(socketPath: string): Promise<void> {
  const folder = path.dirname(socketPath);
  if ((await stat(folder)).isDirectory()) return access(folder, constants.W_OK);
  throw Object.assign(new Error(`${folder} is not a folder`), { code: "ENOTDIR" });
}

/** A process that was killed leaves its socket behind. One that a program listens on, and any other file, stay. */
async function removeStaleSocket(socketPath: string): Promise<void> {
  const found = await lstat(socketPath).catch(() => undefined);
  if (!found?.isSocket()) return;
  const isUsed = await new Promise<boolean>((resolve) => {
    const socket = connect(socketPath, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code !== "ECONNREFUSED"));
  });
  if (!isUsed) await unlink(socketPath);
}

function listenError({ code, message }: NodeJS.ErrnoException, address: ListenAddress): ParlanceError | undefined {
  const isSocket = address.kind === "socket";
  const where = isSocket ? address.path : `port ${address.port} of ${address.hosts.join(" or ")}`;
  const reasons: Record<string, string> = {
    EADDRINUSE: isSocket
      ? "another program listens there, or the file is not a socket. Stop the program, or set PARLANCE_HOST to another path"
      : "another program listens there. Stop it, or set PARLANCE_PORT to another port",
    EACCES: isSocket
      ? "this user may not write to the folder"
      : "this user may not use it. Ports below 1024 need the capability CAP_NET_BIND_SERVICE; set PARLANCE_PORT to a higher one",
    EADDRNOTAVAIL: "this machine does not have the address. Set PARLANCE_HOST to one of its addresses, or to * for all",
    EAFNOSUPPORT: "this machine does not support addresses of this kind. Set PARLANCE_HOST to 127.0.0.1 or 0.0.0.0",
    ENOTFOUND: "the name has no address. Set PARLANCE_HOST to an IP address, or to * for all",
    EAI_AGAIN: "the name could not be looked up. Set PARLANCE_HOST to an IP address, or to * for all",
    EINVAL: "the address cannot be used. A link-local address needs its interface, such as fe80::1%eth0",
    ENOENT: "the folder does not exist. Create it, or set PARLANCE_HOST to another path",
    ENOTDIR: "its folder is a file. Set PARLANCE_HOST to another path",
    EROFS: "its folder is read-only. Set PARLANCE_HOST to another path",
    EPERM: "this user may not create a socket there",
  };
  const reason = reasons[code ?? ""];
  return reason === undefined ? undefined : errors.cannotListen(where, reason, message);
}
