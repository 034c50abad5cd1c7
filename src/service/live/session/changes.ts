// Changes of a running session. Each belongs to the log, with the sample from which it applies, so that a resumed session uses the same
// settings for the same audio.
import { type LiveParameters, parseLiveParameters } from "../../../contract/job-parameters.ts";
import { turnSilenceProblems } from "../../../contract/live.ts";
import type { LiveChange } from "../../../contract/live-change.ts";
import { milliseconds } from "../../../contract/transcript/transcript.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import type { ChannelChange, ChannelSettings } from "../channel/channel-contract.ts";
import type { JournalEntry, SessionLog } from "../log/log-contract.ts";
import type { TurnClock } from "../turns/turn-clock.ts";
import { CallerText } from "./caller-text.ts";
import type { Outbox } from "./outbox.ts";
import { turnsOf } from "./params.ts";
import type { SessionParams, SessionServices } from "./session-contract.ts";

/** Each is in the log until the session ends: a client that changes its settings in every turn needs a few hundred. */
const MOST_CHANGES = 1_000;
/** Of all changes of a session as JSON: a vocabulary may have a million characters. */
const MOST_CHARACTERS = 2_000_000;
/** Fields of the request that need another one. */
const PARTS_WITH_DATA = [
  ["custom_vocabulary", "custom_vocabulary_config"],
  ["custom_spelling", "custom_spelling_config"],
] as const;

type StoredChange = Extract<JournalEntry, { kind: "change" }>;

/** The parameters of a session after a change: what it does not name stays. Takes time for the change alone, not for the request. */
export function withChange(request: LiveParameters, change: LiveChange): LiveParameters {
  const { endpointing = request.endpointing, turn_detection, realtime_processing = {} } = change;
  const withDefaults = parseLiveParameters({
    ...(turn_detection ? { turn_detection: { ...request.turn_detection, ...turn_detection } } : {}),
    realtime_processing,
  });
  const named = Object.keys(realtime_processing) as (keyof LiveParameters["realtime_processing"])[];
  return {
    ...request,
    endpointing,
    ...(turn_detection ? { turn_detection: withDefaults.turn_detection } : {}),
    realtime_processing: {
      ...request.realtime_processing,
      ...Object.fromEntries(named.map((name) => [name, withDefaults.realtime_processing[name]])),
    },
  };
}

/** What is wrong with parameters after a change. */
function problemOf({ turn_detection, realtime_processing }: LiveParameters): string | undefined {
  const lacking = PARTS_WITH_DATA.find(
    ([name, data]) => realtime_processing[name] === true && !realtime_processing[data],
  );
  if (lacking) return `realtime_processing.${lacking[1]} is required when realtime_processing.${lacking[0]} is true`;
  return turnSilenceProblems(turn_detection)[0];
}

export interface ChangeParts {
  params: Pick<SessionParams, "endpointingSeconds" | "turns" | "request">;
  log: Pick<SessionLog, "appendEntries" | "entries">;
  outbox: Pick<Outbox, "send">;
  turns: SessionServices["turns"];
  isRecording(): boolean;
  /** Length of the audio so far, seconds. */
  seconds(): number;
  /** Gives the change to the channels. */
  apply(change: ChannelChange): void;
  /** Turn detection is in use from now on. */
  usesTurns(): void;
}

export class SessionChanges {
  private request: LiveParameters;
  private text: CallerText;
  private current: ChannelSettings;
  private readonly initial: { settings: ChannelSettings; text: CallerText };
  private readonly texts = new Map<number, CallerText>();
  private count = 0;
  private characters = 0;
  /** Those of an earlier process, in order. */
  readonly known: readonly ChannelChange[];

  constructor(private readonly parts: ChangeParts) {
    const { endpointingSeconds, request, turns } = parts.params;
    this.request = request;
    this.text = new CallerText(request);
    this.current = this.settingsOf(endpointingSeconds, turns);
    this.initial = { settings: this.current, text: this.text };
    this.known = parts.log.entries
      .filter((entry) => entry.kind === "change")
      .map(({ sample, change }) => this.next({ sample, change }));
  }

  /** How the session was created. */
  get initialSettings(): ChannelSettings {
    return this.initial.settings;
  }

  /** Silence that ends an utterance at present, seconds. */
  get endpointingSeconds(): number {
    return this.current.endpointingSeconds;
  }

  /** Whether pauses are judged at present. */
  get usesTurns(): boolean {
    return this.current.turns !== undefined;
  }

  /** The wording of a channel's utterances at present. */
  textOf(channel: number): CallerText {
    return this.texts.get(channel) ?? this.initial.text;
  }

  /** @param clock  of the client's pauses in sending, which end turns too */
  async configure(change: LiveChange, clock: Pick<TurnClock, "configure">): Promise<void> {
    const { log, outbox, seconds } = this.parts;
    const request = withChange(this.request, change);
    const reason = this.refusalOf(change, request);
    if (reason !== undefined) return outbox.send({ kind: "configureRefused", reason });
    const sample = Math.round(seconds() * SAMPLE_RATE);
    const stored: StoredChange = { kind: "change", sample, change };
    await log.appendEntries(stored);
    const hadTurns = this.usesTurns;
    if (!hadTurns && turnsOf(request)) await this.parts.turns?.find();
    const next = this.next(stored);
    if (!hadTurns && this.usesTurns) this.parts.usesTurns();
    this.parts.apply(next);
    clock.configure(this.endpointingSeconds);
    await outbox.send({ kind: "configured", seconds: milliseconds(sample / SAMPLE_RATE) });
  }

  private refusalOf(change: LiveChange, request: LiveParameters): string | undefined {
    if (!this.parts.isRecording()) return "the recording was stopped";
    if (this.count >= MOST_CHANGES) return `a session can be changed ${MOST_CHANGES} times; create another one`;
    if (this.characters + JSON.stringify(change).length > MOST_CHARACTERS)
      return `the changes of a session can have ${MOST_CHARACTERS} characters together; create another one`;
    return problemOf(request);
  }

  private next({ sample, change }: Omit<StoredChange, "kind">): ChannelChange {
    this.count++;
    this.characters += JSON.stringify(change).length;
    this.request = withChange(this.request, change);
    if (change.realtime_processing) this.text = new CallerText(this.request, this.text);
    this.current = this.settingsOf(this.request.endpointing, turnsOf(this.request));
    const { current, text } = this;
    return { sample, settings: current, applied: (channel) => void this.texts.set(channel, text) };
  }

  private settingsOf(endpointingSeconds: number, turns: SessionParams["turns"]): ChannelSettings {
    const { text } = this;
    return {
      endpointingSeconds,
      turns: turns && this.parts.turns?.optionsFor(turns),
      // Of a thousand changes, few are in force for any audio.
      get vocabulary() {
        return text.vocabulary;
      },
    };
  }
}
