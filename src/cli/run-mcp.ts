// Serves the Model Context Protocol on standard input and output. Separate from mcp.ts, because its library takes time to load.
import path from "node:path";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createMcpServer } from "../api/mcp/mcp-server.ts";
import type { ServiceCalls } from "../api/mcp/service-calls.ts";
import { askService, type ServiceAddress } from "../platform/net/service-request.ts";
import { packageVersion } from "../platform/process/package-version.ts";
import { within } from "../platform/process/within.ts";
import { pageByService } from "./mcp-pages.ts";
import { type OwnService, startOwnService } from "./own-service.ts";
import { uploadRecording } from "./service-jobs.ts";
import { type OptionalServiceOptions, optionalServiceOf } from "./service-options.ts";

const STOP_MILLISECONDS = 3_000;

/**
 * The service that the tools call. Without --server or a login, this process starts one at the first call, because an assistant starts each of
 * its servers, also those that it does not use.
 */
class Target {
  private own: Promise<OwnService> | undefined;

  constructor(private readonly service: ServiceAddress | undefined) {}

  async address(): Promise<ServiceAddress> {
    if (this.service) return this.service;
    this.own ??= startOwnService();
    try {
      return (await this.own).address;
    } catch (error) {
      // The next call tries again.
      this.own = undefined;
      throw error;
    }
  }

  async stop(): Promise<void> {
    const own = await this.own?.catch(() => undefined);
    await own?.stop();
  }
}

/** Ends the process when the assistant has closed standard input, or after a signal. */
export async function runMcp(options: OptionalServiceOptions): Promise<void> {
  const target = new Target(optionalServiceOf(options));
  const calls: ServiceCalls = {
    call: async (method, route, { body, signal } = {}) =>
      askService(await target.address(), method, route, body, signal),
    read: async (input, signal) => pageByService(await target.address(), input, signal),
    upload: async (file) => uploadRecording(await target.address(), file, path.basename(file)),
  };
  const version = await packageVersion();
  const closed = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve).once("close", resolve);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  const server = serveStdio(() => createMcpServer(calls, version), {
    onerror: (error) => process.stderr.write(`parlance: ${error.message}\n`),
  });
  await closed;
  // A service that still loads its models, or a call that still runs, must not outlive the assistant. At the exit, the folder is removed.
  await within(STOP_MILLISECONDS, Promise.all([server.close(), target.stop()])).catch(() => undefined);
  process.exit(0);
}
