// Fields of a request that the interface does not have. Requests of existing clients that carry some are accepted, and the answer names
// them: a field without effect must never go unnoticed.
import { MOST_PROBLEMS } from "../../platform/errors.ts";
import { similarNames } from "../../speech/text/similar.ts";
import { shownPath } from "./text.ts";

/** Fields of earlier versions that ask for what every result has: words always have exact times. */
const ALWAYS_MET = new Set(["words_accurate_timestamps", "accurate_words_timestamps"]);
/** Switches of earlier versions, which some clients always send. Off, they ask for nothing. */
const FORMER_SWITCHES = new Set([
  "audio_enhancer",
  "diarization_enhanced",
  "enhanced",
  "pii_redaction",
  "speaker_reidentification",
]);

const hasNoEffect = (name: string, value: unknown) =>
  value === undefined ||
  value === null ||
  ALWAYS_MET.has(name) ||
  (FORMER_SWITCHES.has(name) && (value === false || value === "false"));

export class UnknownFields {
  private readonly found: { path: string; similar: string | undefined }[] = [];
  private count = 0;

  /** @param path  of the object @param known  names that the object may have */
  note(path: readonly string[], name: string, value: unknown, known: readonly string[]): void {
    if (hasNoEffect(name, value)) return;
    this.count++;
    if (this.found.length >= MOST_PROBLEMS) return;
    const [similar] = similarNames(name, known, 1);
    this.found.push({ path: shownPath([...path, name]), similar });
  }

  /** @param what  said of each, such as "is not a field of this request" */
  sentences(what: string): string[] {
    const sentences = this.found.map(({ path, similar }) =>
      similar === undefined ? `${path} ${what}` : `${path} ${what}; did you mean ${similar}?`,
    );
    const others = this.count - sentences.length;
    if (others > 0) sentences.push(`${others} more unknown fields are not listed`);
    return sentences;
  }

  /** For answers to requests that are accepted. */
  warnings(): string[] {
    return this.sentences("is not a field of this request and was ignored");
  }

  /** For requests that are refused. */
  problems(): string[] {
    return this.sentences("must not be sent: it is not a field of this request");
  }
}
