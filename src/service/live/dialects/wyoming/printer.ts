// Prints the events of one session in the Wyoming protocol. Finals are chunks as they come; the transcript follows at the end of the
// session, in which sentences continue over pauses.
import type { Utterance } from "../../../../contract/transcript/transcript.ts";
import type { WyomingEvent } from "../../../../contract/wyoming.ts";
import { errors, type ParlanceError } from "../../../../platform/errors.ts";
import { spaceBefore } from "../../../../speech/text/joined-texts.ts";
import type { Closing, ClosingKind, StopCause } from "../../events/closing.ts";
import type { LiveEvent } from "../../events/live-event.ts";

const MOST_WARNINGS = 20;

/** Different warnings about one transcription; the last one states that there are more. */
export class Warnings {
  private readonly first = new Set<string>();
  /** Of the further ones, which may repeat. */
  private further = 0;

  get texts(): string[] {
    const { further } = this;
    const leftOut = `${further === 1 ? "1 further warning is" : `${further} further warnings are`} left out`;
    return further > 0 ? [...this.first, leftOut] : [...this.first];
  }

  add(warning: string): void {
    if (this.first.has(warning)) return;
    if (this.first.size < MOST_WARNINGS) this.first.add(warning);
    else this.further++;
  }
}

const CAUSES: Record<Exclude<StopCause, "client">, string> = {
  idle: "no audio was received for too long",
  away: "the connection was lost",
  length: "the session reached its maximum length",
  revoked: "the key of the account was revoked",
};

export const RESTARTED = "the service stops or restarts; send the audio again";
const FAULT = "an internal error; the log of the service has the cause";
const REASONS: Record<Exclude<ClosingKind, "complete" | "refused" | "unreadableAudio" | "ended">, string> = {
  idle: CAUSES.idle,
  restarting: RESTARTED,
  replaced: FAULT,
  taken: RESTARTED,
  moved: RESTARTED,
  elsewhere: RESTARTED,
  deleted: "the session was deleted",
  failed: FAULT,
  interrupted: FAULT,
  unread: "the client did not read the events in time",
  unknownToken: FAULT,
  revoked: CAUSES.revoked,
  expired: FAULT,
  overLimit: "the account has too many live sessions",
};

/** @returns undefined for a session that ended as its client requested */
export function errorOf(closing: Closing): ParlanceError | undefined {
  switch (closing.kind) {
    case "complete":
      return undefined;
    case "refused":
      return closing.error;
    case "unreadableAudio":
      return errors.liveAudioUnreadable(closing.reason);
    case "ended": {
      const { cause = "client" } = closing;
      return errors.wyomingInterrupted(cause === "client" ? "not all of the audio could be stored" : CAUSES[cause]);
    }
    default:
      return errors.wyomingInterrupted(REASONS[closing.kind]);
  }
}

export function errorEvent({ message, code, fields, retryAfterSeconds }: ParlanceError): WyomingEvent {
  // Home Assistant logs the text alone.
  const text = fields ? `${message.split(" See ")[0]} ${fields.join("; ")}` : message;
  return {
    type: "error",
    data: {
      text,
      code,
      ...(fields ? { validation_errors: fields } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retry_after: retryAfterSeconds }),
    },
  };
}

export class TranscriptPrinter {
  private hasBegun = false;
  private last: Utterance | undefined;
  private transcript: { text: string; language?: string } | undefined;
  private readonly warnings = new Warnings();

  /** @param sessionId  undefined where no audio came, so that there is no session */
  constructor(
    warnings: readonly string[],
    private readonly sessionId?: string,
  ) {
    for (const warning of warnings) this.warn(warning);
  }

  warn(warning: string): void {
    this.warnings.add(warning);
  }

  print(event: LiveEvent): WyomingEvent[] {
    switch (event.kind) {
      case "final": {
        const { utterance } = event;
        const trimmed = utterance.text.trim();
        if (trimmed === "") return [];
        const chunk: WyomingEvent = {
          type: "transcript-chunk",
          data: { text: (this.last ? spaceBefore(this.last, utterance) : "") + trimmed },
        };
        this.last = utterance;
        return [...this.start(utterance.language), chunk];
      }
      case "transcript": {
        const { full_transcript: text, languages } = event.transcription;
        const [language] = languages;
        this.transcript = { text, ...(language ? { language } : {}) };
        return [];
      }
      case "error":
        this.warn(event.reason);
        return [];
      default:
        return [];
    }
  }

  /** @returns the last events of the transcription; empty if the session ended without a transcript */
  end(): WyomingEvent[] {
    const transcript = this.sessionId === undefined ? { text: "" } : this.transcript;
    if (!transcript) return [];
    const { texts } = this.warnings;
    const warnings = texts.length > 0 ? { warnings: texts } : {};
    const session = this.sessionId === undefined ? {} : { session_id: this.sessionId };
    return [
      ...this.start(transcript.language),
      { type: "transcript", data: { ...transcript, ...warnings, ...session } },
      { type: "transcript-stop", data: {} },
    ];
  }

  private start(language: string | undefined): WyomingEvent[] {
    if (this.hasBegun) return [];
    this.hasBegun = true;
    return [{ type: "transcript-start", data: language ? { language } : {} }];
  }
}
