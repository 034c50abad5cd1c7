// parlance store: which object store the database belongs to.
import type { Command } from "commander";

export function addStore(program: Command): void {
  const store = program.command("store").description("The object store of recordings and transcripts");
  store
    .command("adopt")
    .description("Use the object store that the settings name with this database from now on")
    .addHelpText(
      "after",
      "\nFor objects that were moved to another folder or bucket. The service must not run meanwhile. Objects that are not in the new\nstore are missing from then on.",
    )
    .action(async () => (await import("./run-store.ts")).adopt());
}
