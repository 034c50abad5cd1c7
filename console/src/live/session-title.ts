// The title of a session, which becomes the name of its recording. What is typed is kept in this browser until the service has it.
import { signal } from "@preact/signals";
import { errorMessage, get, send } from "../api.ts";
import { keptName } from "../kept-name.ts";
import { notice } from "../parts/notices.tsx";
import type { Job } from "../shapes.ts";
import { TypedText } from "../typed-text.ts";

const typedTitle = () => new TypedText({ field: "session" });

export class SessionTitle {
  /** Of the next session, for the account that `load` found. */
  readonly typed = signal(typedTitle());
  /** Of the current session: null without one, undefined until it is known. */
  readonly given = signal<string | null | undefined>(undefined);

  /** Shows what this account has typed before. */
  load(): void {
    this.typed.value = typedTitle();
  }

  clear(): void {
    this.given.value = undefined;
  }

  /** Names a session that has begun. If that fails, the typed title waits in the field of its name. */
  async begin(id: string): Promise<void> {
    const typed = this.typed.peek();
    const title = typed.value.trim();
    typed.value = "";
    if (title === "") {
      this.given.value = null;
      return;
    }
    const kept = keptName(id);
    kept.keep({ text: title, before: null });
    try {
      await send("PATCH", `/v2/transcription/${id}`, { name: title });
      kept.drop();
      this.given.value = title;
    } catch (error) {
      this.given.value = null;
      notice(errorMessage(error), "bad");
    }
  }

  /** Reads the name of the session from the service. */
  async read(id: string): Promise<void> {
    const job = await get<Job>(`/v2/live/${id}`).catch(() => undefined);
    this.given.value = job?.name ?? this.given.peek() ?? null;
  }
}
