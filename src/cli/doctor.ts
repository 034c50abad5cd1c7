// Defines `parlance doctor` and prints its findings.
import type { Command } from "commander";
import { packageVersion } from "../platform/process/package-version.ts";
import type { Level } from "./findings.ts";
import { serviceFindings } from "./service-findings.ts";
import { type ServiceOptions, serviceOf } from "./service-options.ts";
import { printJson } from "./table.ts";

const SIGNS: Record<Level, string> = { good: "ok", warning: "!!", bad: "NO" };

export function addDoctor(program: Command): void {
  program
    .command("doctor")
    .description("Check this installation, and print what to do")
    .option("--server <address>", "check that this service answers and accepts the key, instead of this installation")
    .option("--key <key>", "account key for --server; default: that of parlance login, else PARLANCE_API_KEY")
    .option("--json", "print JSON")
    .action(async ({ json, ...service }: ServiceOptions & { json?: boolean }) => {
      const findings =
        service.server === undefined
          ? await (await import("./installation-findings.ts")).installationFindings()
          : await serviceFindings(serviceOf(service));
      if (json) printJson({ version: await packageVersion(), findings });
      else
        for (const { what, level, detail } of findings)
          process.stdout.write(`${SIGNS[level]}  ${what.padEnd(12)} ${detail}\n`);
      if (findings.some(({ level }) => level === "bad")) process.exitCode = 1;
    });
}
