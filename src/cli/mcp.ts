// parlance mcp: lets an assistant transcribe, read and search, by a service or on this machine.
import type { Command } from "commander";
import { addOptionalServiceOptions, type OptionalServiceOptions } from "./service-options.ts";

export function addMcp(program: Command): void {
  addOptionalServiceOptions(program.command("mcp"))
    .description("Serve the Model Context Protocol on standard input and output, for an assistant that starts it")
    .action(async (options: OptionalServiceOptions) => (await import("./run-mcp.ts")).runMcp(options));
}
