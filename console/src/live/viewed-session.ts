// The captions of a live session that another page records, for people with its link. The connection continues after the last event that it
// has, also when the service was restarted.
import { signal } from "@preact/signals";
import { base } from "../address.ts";
import type { ServerMessage } from "../shapes.ts";
import { type Line, withRevision, withTranscript } from "./lines.ts";
import { type Translations, withTranslation } from "./translations.ts";

export type ViewState = "connecting" | "open" | "broken" | "over" | "refused";

const RETRY_MILLISECONDS = 3_000;
/** Answers that a further attempt does not change. */
const FINAL_STATUSES = new Set([400, 401, 403, 404, 409]);
const MESSAGES = ["transcript", "translation", "speaker_revision"] as const;

export class ViewedSession {
  readonly state = signal<ViewState>("connecting");
  readonly lines = signal<readonly Line[]>([]);
  readonly translations = signal<Translations>({});
  /** Names of voices are not shared with viewers. */
  readonly names = signal<Readonly<Record<number, string>>>({});
  private source: EventSource | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = 0;
  private isClosed = false;

  constructor(
    private readonly id: string,
    private readonly token: string,
  ) {
    this.connect();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.source?.close();
  }

  private connect(): void {
    const query = new URLSearchParams({ token: this.token, after: String(this.last) });
    const address = `${base}/v2/live/${encodeURIComponent(this.id)}/events?${query}`;
    const source = new EventSource(address);
    this.source = source;
    source.addEventListener("open", () => {
      this.state.value = "open";
    });
    for (const type of MESSAGES) source.addEventListener(type, (event) => this.take(event));
    source.addEventListener("end", () => {
      source.close();
      this.state.value = "over";
    });
    source.addEventListener("error", () => {
      // The browser reconnects after a lost connection, but not after a refused one, such as a 502 of a proxy.
      source.close();
      if (this.isClosed || this.source !== source) return;
      this.state.value = "broken";
      void this.judge(address);
    });
  }

  /** Connects again, unless the service refuses these captions. */
  private async judge(address: string): Promise<void> {
    const status = await fetch(address, { method: "HEAD" }).then(
      (answer) => answer.status,
      () => undefined,
    );
    if (this.isClosed) return;
    if (status !== undefined && FINAL_STATUSES.has(status)) this.state.value = "refused";
    else this.timer = setTimeout(() => this.connect(), RETRY_MILLISECONDS);
  }

  private take({ data, lastEventId }: MessageEvent<string>): void {
    const number = Number(lastEventId);
    if (number > this.last) this.last = number;
    const message = JSON.parse(data) as ServerMessage;
    if (message.type === "transcript") {
      const { id, is_final: isFinal, utterance } = message.data;
      this.lines.value = withTranscript(this.lines.value, { id, isFinal, utterance });
    }
    if (message.type === "speaker_revision") this.lines.value = withRevision(this.lines.value, message.data);
    if (message.type === "translation") this.translations.value = withTranslation(this.translations.value, message);
  }
}
