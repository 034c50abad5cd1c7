// Reads what a link to a transcript opens. The token is sent as a header, except by the player, which can send none.
import { signal } from "@preact/signals";
import { at } from "../address.ts";
import { ApiError, toApiError } from "../api.ts";
import { t } from "../language/language.ts";
import type { Shared, SharedTranscript } from "../shapes.ts";

/** Answers that a further attempt does not change. */
const FINAL_STATUSES = new Set([400, 404, 409]);

export interface Opened {
  shared: Shared;
  transcript: SharedTranscript;
}

export class SharedLink {
  readonly opened = signal<Opened | undefined>(undefined);
  /** Why nothing is shown. */
  readonly problem = signal("");
  /** Whether the service may answer later. */
  readonly isWaiting = signal(true);

  constructor(private readonly token: string) {}

  /** Of the recording. */
  get audioAddress(): string {
    return at(`/v2/shared/audio?${new URLSearchParams({ token: this.token })}`);
  }

  /** @throws ApiError */
  async request(path: string): Promise<Response> {
    const headers = { authorization: `bearer ${this.token}` };
    const answer = await fetch(at(path), { headers, credentials: "omit" }).catch(() => {
      throw new ApiError(0, t.problems.noAnswer);
    });
    if (!answer.ok) throw await toApiError(answer);
    return answer;
  }

  /** Called again until the service answers. */
  async load(): Promise<void> {
    if (!this.isWaiting.value) return;
    try {
      const [shared, transcript] = await Promise.all(
        ["/v2/shared", "/v2/shared/transcript"].map(async (path) => (await this.request(path)).json()),
      );
      this.opened.value = { shared, transcript } as Opened;
      this.problem.value = "";
      this.isWaiting.value = false;
    } catch (error) {
      const { status, message } = error as ApiError;
      this.isWaiting.value = !FINAL_STATUSES.has(status);
      this.problem.value = message;
    }
  }
}
