// Names of live speakers, from the account's library of voices. They are sent but never stored, so that no name is left after its voice is
// deleted.

import type { SpeakerIdentity } from "../../../contract/transcript/transcript.ts";
import { type KnownPerson, matchVoices } from "../../../speech/speakers/known-voices.ts";

/** People of the library with voices computed by a model; empty if the library cannot be opened. */
export type People = (model: string) => Promise<readonly KnownPerson[]>;

interface SpeakerPrint {
  speaker: number;
  print: number[];
  seconds: number;
}

const COMPARE_MILLISECONDS = 2_000;
/** Interval at which the library is read again: new and deleted voices take effect after it. */
const PEOPLE_MILLISECONDS = 30_000;

export class SpeakerNames {
  private comparedAt = Number.NEGATIVE_INFINITY;
  private readAt = Number.NEGATIVE_INFINITY;
  private people: readonly KnownPerson[] = [];
  private sent: SpeakerIdentity[] = [];

  constructor(
    private readonly readPeople: People,
    private readonly onNames: (speakers: SpeakerIdentity[]) => void,
  ) {}

  /** Compares the speakers with the library every COMPARE_MILLISECONDS, and reports their names if these have changed. */
  async update(model: string, prints: () => readonly SpeakerPrint[]): Promise<void> {
    const now = performance.now();
    if (now - this.comparedAt < COMPARE_MILLISECONDS) return;
    this.comparedAt = now;
    if (now - this.readAt >= PEOPLE_MILLISECONDS) {
      this.readAt = now;
      this.people = await this.readPeople(model).catch(() => this.people);
    }
    const found = matchVoices(prints(), this.people)
      .map(({ speaker, name, confidence, id }) => ({ speaker, name, confidence, voice_id: id }))
      .sort((left, right) => left.speaker - right.speaker);
    const keyOf = (speakers: readonly SpeakerIdentity[]) =>
      speakers.map(({ speaker, name, voice_id }) => `${speaker} ${voice_id} ${name}`).join("\n");
    if (keyOf(found) === keyOf(this.sent)) return;
    this.sent = found;
    this.onNames(found);
  }

  /** Sends the names to a new connection. */
  resend(): void {
    if (this.sent.length > 0) this.onNames(this.sent);
  }
}
