import type { Command } from "commander";
import { flushLog } from "../platform/observability/log.ts";

async function run(): Promise<void> {
  try {
    await (await import("../compose/main.ts")).serve();
  } finally {
    await flushLog();
  }
}

export function addServe(program: Command): void {
  program
    .command("serve")
    .description("Run the service")
    .addHelpText(
      "after",
      "\nIt is configured by environment variables, such as PARLANCE_PORT, PARLANCE_HOST, PARLANCE_DATA_DIR and DATABASE_URL.\nAll of them: docs/settings.md, or /docs/settings of a running service.",
    )
    .action(run);
}
