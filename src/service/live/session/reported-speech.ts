// Reports about speech since the last final of each channel, from a session's persisted events. Another process finds the
// same speech in the stored audio again, and must not report it twice.
import type { SpeechReport } from "../channel/channel-contract.ts";
import type { LiveEvent } from "../events/live-event.ts";

/** Speech without words has no final: more reports than this are not kept. */
const MOST_REPORTS = 1_000;

export class ReportedSpeech {
  private readonly reports = new Map<number, SpeechReport[]>();

  of(channel: number): readonly SpeechReport[] {
    return this.reports.get(channel) ?? [];
  }

  observe(event: LiveEvent): void {
    if (event.kind === "final") this.reports.delete(event.utterance.channel);
    if (event.kind === "speechUnrecognized" && event.isFiller) this.reports.delete(event.channel);
    if (event.kind !== "speechStarted" && event.kind !== "speechEnded") return;
    const kept = this.of(event.channel).slice(1 - MOST_REPORTS);
    const isStart = event.kind === "speechStarted";
    this.reports.set(event.channel, [...kept, { isStart, seconds: event.seconds }]);
  }
}
