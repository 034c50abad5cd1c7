// Changes of a running session. Each belongs to the log, with the sample from which it applies, so that a resumed session uses the same
// settings for the same audio. Other languages end the utterance, so that no utterance is in the languages before and after.

import { isDeepStrictEqual } from "node:util";
import { firstOf } from "../../../contract/first-of.ts";
import { type LiveParameters, parseLiveParameters } from "../../../contract/job-parameters.ts";
import { turnSilenceProblems } from "../../../contract/live.ts";
import type { LiveChange } from "../../../contract/live-change.ts";
import { milliseconds } from "../../../contract/transcript/transcript.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { type LanguageRequest, languageRequestOf } from "../../models/speech-plan.ts";
import type { ChannelChange, ChannelSettings } from "../channel/channel-contract.ts";
import type { JournalEntry, SessionLog } from "../log/log-contract.ts";
import type { TurnClock } from "../turns/turn-clock.ts";
import { CallerText } from "./caller-text.ts";
import type { Outbox } from "./outbox.ts";
import { turnsOf } from "./params.ts";
import type { LanguageModels, SessionModels, SessionParams, SessionServices } from "./session-contract.ts";

/** Each is in the log until the session ends: a client that changes its settings in every turn needs a few hundred. */
const MOST_CHANGES = 1_000;
/** Texts whose tables are kept: the largest have 15 MB. */
const KEPT_TEXTS = 4;
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
  const { endpointing = request.endpointing, turn_detection, language_config, realtime_processing = {} } = change;
  const withDefaults = parseLiveParameters({
    ...(turn_detection ? { turn_detection: { ...request.turn_detection, ...turn_detection } } : {}),
    realtime_processing,
  });
  const named = Object.keys(realtime_processing) as (keyof LiveParameters["realtime_processing"])[];
  return {
    ...request,
    endpointing,
    ...(turn_detection ? { turn_detection: withDefaults.turn_detection } : {}),
    language_config: { ...request.language_config, ...language_config },
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
  params: Pick<SessionParams, "endpointingSeconds" | "models" | "turns" | "request">;
  log: Pick<SessionLog, "appendEntries" | "entries"> & { audio: Pick<SessionLog["audio"], "total"> };
  outbox: Pick<Outbox, "send">;
  turns: SessionServices["turns"];
  languages: LanguageModels;
  isRecording(): boolean;
  /** Length of the audio so far, seconds. */
  seconds(): number;
  /** Gives audio that was held back to the channels. @returns one past the last sample that all have received */
  release(): number;
  /** Gives the change to the channels. */
  apply(change: ChannelChange): void;
  /** Turn detection is in use from now on. */
  usesTurns(): void;
  /** These languages may be spoken from now on. */
  usesLanguages(languages: readonly string[]): void;
}

/** What a channel's utterances at a position are written with. */
interface InForce {
  realtime: LiveParameters["realtime_processing"];
  text: CallerText;
  languages: LanguageRequest;
  models: SessionModels;
}

export class SessionChanges {
  private request: LiveParameters;
  private inForce: InForce;
  private current: ChannelSettings;
  private readonly initial: InForce & { settings: ChannelSettings };
  private readonly byChannel = new Map<number, InForce>();
  private count = 0;
  /** The last ones with different wording, newest first: the first is in force, if there is one. */
  private formerTexts: CallerText[] = [];
  private characters = 0;
  /** Those of an earlier process, in order. */
  readonly known: readonly ChannelChange[];

  constructor(private readonly parts: ChangeParts) {
    const { endpointingSeconds, models, request, turns } = parts.params;
    this.request = request;
    const realtime = request.realtime_processing;
    this.inForce = { realtime, text: new CallerText(request), languages: languageRequestOf(request), models };
    this.current = this.settingsOf(endpointingSeconds, turns);
    this.initial = { settings: this.current, ...this.inForce };
    this.known = parts.log.entries.filter((entry) => entry.kind === "change").map((entry) => this.next(entry));
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

  /** Processing of a channel's utterances at present. @param channel  undefined for the whole session */
  realtimeOf(channel?: number): LiveParameters["realtime_processing"] {
    return channel === undefined ? this.request.realtime_processing : this.of(channel).realtime;
  }

  /** The wording of a channel's utterances at present. */
  textOf(channel: number): CallerText {
    return this.of(channel).text;
  }

  /** The languages that may be spoken in a channel at present; the same object until they change. */
  languagesOf(channel: number): LanguageRequest {
    return this.of(channel).languages;
  }

  /** The models of a channel's languages at present. */
  modelsOf(channel: number): SessionModels {
    return this.of(channel).models;
  }

  private of(channel: number): InForce {
    return this.byChannel.get(channel) ?? this.initial;
  }

  /** Makes, in turns, what the wording needs with which the session was created, and that after all known changes. */
  async prepareText(): Promise<void> {
    for (const { text } of [this.initial, this.inForce]) await text.prepare();
  }

  /** @param clock  of the client's pauses in sending, which end turns too */
  async configure(change: LiveChange, clock: Pick<TurnClock, "configure">): Promise<void> {
    const { log, outbox, languages } = this.parts;
    const request = withChange(this.request, change);
    const changesLanguages = this.changesLanguages(request);
    const reason =
      this.refusalOf(change, request) ??
      (changesLanguages ? await languages.choose(request, this.inForce.models) : undefined);
    if (reason !== undefined) return outbox.send({ kind: "configureRefused", reason });
    const stored = this.placed(change, changesLanguages);
    const { sample } = stored;
    await log.appendEntries(stored);
    const hadTurns = this.usesTurns;
    if (!hadTurns && turnsOf(request)) await this.parts.turns?.find();
    const next = this.next(stored);
    await this.prepareText();
    if (!hadTurns && this.usesTurns) this.parts.usesTurns();
    if (changesLanguages) this.parts.usesLanguages(request.language_config.languages);
    this.parts.apply(next);
    clock.configure(this.endpointingSeconds);
    await outbox.send({ kind: "configured", seconds: milliseconds(sample / SAMPLE_RATE) });
  }

  private changesLanguages({ language_config }: LiveParameters): boolean {
    return !isDeepStrictEqual(language_config, this.request.language_config);
  }

  private placed(change: LiveChange, endsUtterance: boolean): StoredChange {
    const { log, release, seconds } = this.parts;
    const sample = Math.round(seconds() * SAMPLE_RATE);
    if (!endsUtterance) return { kind: "change", sample, change };
    // The conversion of the sampling rate holds some samples back; the utterance does not wait for them.
    return { kind: "change", sample: Math.min(sample, release()), change, turnEnd: log.audio.total };
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
    const request = withChange(this.request, change);
    const endsUtterance = this.changesLanguages(request);
    this.request = request;
    const inForce = {
      ...this.inForce,
      ...(change.realtime_processing ? { realtime: request.realtime_processing, text: this.newText(request) } : {}),
      ...(endsUtterance ? { languages: languageRequestOf(request), models: this.parts.languages.of(request) } : {}),
    };
    this.inForce = inForce;
    const settings = this.settingsOf(request.endpointing, turnsOf(request));
    this.current = settings;
    return { sample, settings, endsUtterance, applied: (channel) => void this.byChannel.set(channel, inForce) };
  }

  /** A short change may bring a large vocabulary into force again: its tables are kept. */
  private newText(request: LiveParameters): CallerText {
    const text = new CallerText(request, [this.initial.text, ...this.formerTexts]);
    const others = this.formerTexts.filter((former) => !former.hasWordingOf(text));
    this.formerTexts = firstOf([text, ...others], KEPT_TEXTS).first;
    return text;
  }

  private settingsOf(endpointingSeconds: number, turns: SessionParams["turns"]): ChannelSettings {
    const { models, text } = this.inForce;
    return {
      endpointingSeconds,
      models,
      turns: turns && this.parts.turns?.optionsFor(turns),
      // Of a thousand changes, few are in force for any audio.
      get vocabulary() {
        return text.vocabulary;
      },
    };
  }
}
