// parlance backup and restore: the embedded database with recordings and results, while the service runs.
import type { Command } from "commander";
import type { RestoreOptions } from "./run-backup.ts";

export function addBackup(program: Command): void {
  program
    .command("backup")
    .description("Back up the embedded database with all recordings and transcripts, also while the service runs")
    .argument("<folder>", "a new or empty one; a running service must be able to write there")
    .action(async (folder: string) => (await import("./run-backup.ts")).runBackup(folder));
  program
    .command("restore")
    .description("Restore a backup into the data folder that PARLANCE_DATA_DIR names")
    .argument("<folder>", "that parlance backup has written")
    .option("--replace", "move aside what the data folder has")
    .option("--database-only", "restore the database alone, and keep the recordings and transcripts of the data folder")
    .addHelpText("after", "\nThe service must not run on that data folder meanwhile.")
    .action(async (folder: string, options: RestoreOptions) =>
      (await import("./run-backup.ts")).runRestore(folder, options),
    );
}
