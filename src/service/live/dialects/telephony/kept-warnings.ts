// Warnings of a connection that has no messages for them: each stands once among the warnings of the session's result.
import { type ClientCommand, keptWarning } from "../../events/client-command.ts";
import { SentOnce } from "../sent-once.ts";

export class KeptWarnings {
  private readonly kept = new SentOnce();

  commandsFor(warnings: readonly string[]): ClientCommand[] {
    return this.kept.fresh(warnings).map(keptWarning);
  }
}
