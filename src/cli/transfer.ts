// parlance export and import: move all data from one kind of database and store to another.
import type { Command } from "commander";

const NOTE =
  "\nThe service must not run meanwhile. After an interruption, repeat the command to resume. Database and store are those of the\nsettings: PARLANCE_DATA_DIR, DATABASE_URL, PARLANCE_S3_BUCKET.";

export function addTransfer(program: Command): void {
  program
    .command("export")
    .description("Write everything that the service keeps into a folder")
    .argument("<folder>", "a new one, or one of an export that was interrupted")
    .addHelpText("after", NOTE)
    .action(async (folder: string) => (await import("./run-transfer.ts")).runExport(folder));
  program
    .command("import")
    .description("Import a folder of parlance export into an empty database")
    .argument("<folder>")
    .addHelpText("after", NOTE)
    .action(async (folder: string) => (await import("./run-transfer.ts")).runImport(folder));
}
