// Add-ons of a live session: realtime add-ons for each final, post-processing for the whole session. They run in a
// separate process and never delay transcripts, audio or other sessions. A few finals are processed in parallel; the
// events of each add-on are emitted in the order of the finals.
import type { AddonParameters, LiveParameters } from "../../../contract/job-parameters.ts";
import type { AddonResult, Transcription, Utterance } from "../../../contract/transcript/transcript.ts";
import { FairSlots } from "../../../platform/process/fairness/fair-slots.ts";
import { failed } from "../../intelligence/addon.ts";
import { AddonFailed } from "../../intelligence/addon-error.ts";
import { computeAddon } from "../../intelligence/process/calls/addon.ts";
import { transcriptionOfOne } from "../../intelligence/process/message.ts";
import type { ResultProcesses } from "../../intelligence/process/result-processes.ts";
import type { LiveEvent, RealtimeAddon } from "../events/live-event.ts";
import { asOneUtterance, type Translated, translationsOf } from "./final-translation.ts";
import { PartialTranslation } from "./partial-translation.ts";

const REALTIME: readonly RealtimeAddon[] = ["translation", "named_entity_recognition", "sentiment_analysis"];
const LOCAL = ["named_entity_recognition", "sentiment_analysis"] as const;
const SAMPLE_LANGUAGE = "en";
const SAMPLE: Transcription = transcriptionOfOne({
  text: "Hello Anna.",
  language: SAMPLE_LANGUAGE,
  start: 0,
  end: 1,
  confidence: 1,
  channel: 0,
  words: [
    { word: "Hello", start: 0, end: 0.5, confidence: 1 },
    { word: " Anna.", start: 0.5, end: 1, confidence: 1 },
  ],
});
/** Concurrent calls of one session: enough to translate each final within a few seconds. */
const MOST_AT_ONCE = 4;
/**
 * Finals that may wait for add-ons; further finals get an error. A provider that hangs takes a minute for each: without
 * this bound the session would wait for all of them at its end.
 */
const MOST_WAITING = 32;
/** Finals of an earlier process that are translated. Earlier ones without a translation have failed: no more than about this many were pending. */
const MOST_RESUMED_TRANSLATIONS = 64;
const POST = ["summarization", "chapterization"] as const;

function enabledAddons<Name extends keyof AddonParameters>(
  switches: Pick<AddonParameters, Name>,
  names: readonly Name[],
): Name[] {
  return names.filter((name) => switches[name] === true);
}

/** @property isResumed  whether an earlier process made the final */
interface Work {
  name: RealtimeAddon;
  id: string;
  utterance: Utterance;
  isResumed: boolean;
}

/** Operations of the session that its add-ons use. */
export interface AddonSession {
  /** Options of the text in force: `configure` changes them. @param channel  undefined for the whole session */
  realtimeOf(channel?: number): LiveParameters["realtime_processing"];
  /** Persists and sends an event. */
  send(event: LiveEvent): Promise<void>;
  /** Sends an event that only the current connection needs. */
  report(event: LiveEvent): void;
  /** The English translation of an utterance; undefined if no model can translate. */
  translateToEnglish(utterance: Utterance): Promise<Utterance | undefined>;
  /** Starts to fetch translation models. @returns the names of those that are being fetched */
  fetchTranslation(source: string, targets: readonly string[]): Promise<string[]>;
}

export class LiveAddons {
  private readonly realtime: LiveParameters["realtime_processing"];
  private readonly post: LiveParameters["post_processing"];
  private readonly running = new Set<Promise<void>>();
  private readonly calls = new FairSlots({ slots: MOST_AT_ONCE });
  /** By add-on: resolves when the events of all finals so far are sent. */
  private readonly sent = new Map<RealtimeAddon, Promise<void>>();
  /** Results that were sent, including those of an earlier process. Translations have one for each language. */
  private readonly sentResults = new Set<string>();
  /** By add-on: the last final with a result. As results are sent in the order of finals, those of earlier finals are sent, too, or empty. */
  private readonly lastWithResult = new Map<RealtimeAddon, string>();
  /** Calls for finals of this process that wait. */
  private waiting = 0;
  /** Errors that were sent: an error that every final would repeat is sent once. */
  private readonly sentErrors = new Set<string>();

  private readonly partials = new PartialTranslation(async ({ id, utterance }, isStale) => {
    const options = { isRealtime: true };
    const transcription = transcriptionOfOne(utterance);
    const { success, results } = await computeAddon(
      this.processes,
      this.accountId,
      "translation",
      transcription,
      asOneUtterance(this.session.realtimeOf(utterance.channel)),
      options,
    );
    // Failures are reported with the final.
    if (!success || isStale()) return;
    for (const event of translationsOf(id, utterance, results as Translated[])) {
      this.session.report({ ...event, isPartial: true });
    }
  });

  /** English translations made by the recogniser, by the id of their final. */
  private readonly englishTranslations = new Map<string, Utterance>();

  constructor(
    request: LiveParameters,
    private readonly accountId: string,
    private readonly processes: Pick<ResultProcesses, "send" | "providers" | "translates">,
    private readonly session: AddonSession,
  ) {
    this.realtime = request.realtime_processing;
    this.post = request.post_processing;
    // Starts the result process and loads its dictionaries before the first final.
    for (const name of enabledAddons(this.realtime, LOCAL))
      void computeAddon(this.processes, this.accountId, name, SAMPLE, this.realtime, { isRealtime: true });
    const { languages } = request.language_config;
    this.prepareLanguages(languages.length === 0 ? [SAMPLE_LANGUAGE] : languages);
  }

  /** Utterances in these languages may follow. */
  prepareLanguages(languages: readonly string[]): void {
    if (this.realtime.translation !== true) return;
    for (const language of languages) void this.prepareTranslation(language);
  }

  private get targets(): readonly string[] {
    return this.realtime.translation_config?.target_languages ?? [];
  }

  /** Fetches missing models. If none is missing, loads them before the first final by translating a sample. */
  private async prepareTranslation(language: string): Promise<void> {
    const fetched = await this.session.fetchTranslation(language, this.targets).catch(() => []);
    // The sample is not sent to a provider.
    if (fetched.length > 0 || this.processes.translates) return;
    const utterances = SAMPLE.utterances.map((utterance) => ({ ...utterance, language }));
    const sample = { ...SAMPLE, languages: [language], utterances };
    await computeAddon(this.processes, this.accountId, "translation", sample, this.realtime, { isRealtime: true });
  }

  /** Called for every persisted event of the session. */
  observe(event: LiveEvent): void {
    if (event.kind === "utteranceAddon") {
      this.lastWithResult.set(event.addon, event.utteranceId);
      this.sentResults.add(`${event.addon} ${event.utteranceId}`);
    }
    if (event.kind !== "translation") return;
    this.lastWithResult.set("translation", event.utteranceId);
    this.sentResults.add(`translation ${event.utteranceId} ${event.targetLanguage}`);
    if (event.targetLanguage === "en") this.englishTranslations.set(event.utteranceId, event.translated);
  }

  /** Runs the realtime add-ons for a final. */
  begin(id: string, utterance: Utterance): void {
    this.partials.end(id);
    for (const name of enabledAddons(this.realtime, REALTIME)) this.beginOne(name, id, utterance, false);
  }

  /** Runs the realtime add-ons for finals of an earlier process, except those that are done. @param finals  in their order */
  resume(finals: ReadonlyMap<string, Utterance>): void {
    const ids = [...finals.keys()];
    for (const name of enabledAddons(this.realtime, REALTIME)) {
      const earliest = name === "translation" ? ids.length - MOST_RESUMED_TRANSLATIONS : 0;
      const from = Math.max(0, earliest, ids.indexOf(this.lastWithResult.get(name) ?? ""));
      for (const [id, utterance] of [...finals].slice(from)) {
        if (!this.isDone(name, id)) this.beginOne(name, id, utterance, true);
      }
    }
  }

  private isDone(name: RealtimeAddon, id: string): boolean {
    if (name !== "translation") return this.sentResults.has(`${name} ${id}`);
    return this.targets.every((language) => this.sentResults.has(`translation ${id} ${language}`));
  }

  private beginOne(name: RealtimeAddon, id: string, utterance: Utterance, isResumed: boolean): void {
    const before = this.sent.get(name) ?? Promise.resolve();
    const work: Promise<void> = this.run({ name, id, utterance, isResumed }, before).finally(() =>
      this.running.delete(work),
    );
    this.sent.set(name, work);
    this.running.add(work);
  }

  /** Translates a partial, if the session requests it. */
  partial(id: string, utterance: Utterance): void {
    const { translation, translation_config } = this.realtime;
    if (translation === true && translation_config?.partials === true) this.partials.add(id, utterance);
  }

  /** Resolves when the results of all started add-ons are sent. */
  async settled(): Promise<void> {
    await Promise.all(this.running);
  }

  /** Runs the add-ons over the whole session. @returns results, and events for those of post-processing */
  async finish(
    transcription: Transcription,
  ): Promise<{ results: Record<string, AddonResult<unknown>>; events: LiveEvent[] }> {
    const results: Record<string, AddonResult<unknown>> = {};
    const events: LiveEvent[] = [];
    for (const name of enabledAddons(this.realtime, REALTIME)) {
      const english = [...this.englishTranslations.values()];
      const options = this.session.realtimeOf();
      results[name] = await computeAddon(this.processes, this.accountId, name, transcription, options, { english });
    }
    for (const name of enabledAddons(this.post, POST)) {
      const answer = await computeAddon(this.processes, this.accountId, name, transcription, this.post);
      results[name] = answer;
      const { success, error } = answer;
      const failure = success ? null : (error?.message ?? "");
      events.push({ kind: "sessionAddon", addon: name, failure, ...(success ? { results: answer.results } : {}) });
    }
    return { results, events };
  }

  /** English translation by the recogniser, if it is requested and no other translator is available. */
  private async recognizerTranslation(utterance: Utterance, targets: readonly string[]): Promise<Utterance[]> {
    if (!targets.includes("en") || this.processes.translates || utterance.language === "en") return [];
    const english = await this.session.translateToEnglish(utterance).catch(() => undefined);
    return english ? [english] : [];
  }

  private async resultOf(
    { name, id, utterance, isResumed }: Work,
    targets: readonly string[],
  ): Promise<AddonResult<unknown>> {
    if (!isResumed) {
      if (this.waiting >= MOST_WAITING) return failed(new AddonFailed(`${name} is too slow for this session`));
      this.waiting++;
    }
    return this.calls.run(isResumed ? "resumed" : "", async () => {
      if (!isResumed) this.waiting--;
      const english = name === "translation" ? await this.recognizerTranslation(utterance, targets) : [];
      const options = { isRealtime: true, english };
      const isWanted = (language: string) => !this.sentResults.has(`translation ${id} ${language}`);
      const inForce = asOneUtterance(this.session.realtimeOf(utterance.channel), isWanted);
      return computeAddon(this.processes, this.accountId, name, transcriptionOfOne(utterance), inForce, options);
    });
  }

  /** @param before  resolves when the events of earlier finals are sent */
  private async run(work: Work, before: Promise<void>): Promise<void> {
    const { name: type, id, utterance } = work;
    const targets = this.targets.filter((language) => !this.sentResults.has(`translation ${id} ${language}`));
    const { success, error, results } = await this.resultOf(work, targets);
    await before.catch(() => undefined);
    if (!success) return this.reportFailure(type, utterance, error?.message ?? "", targets);
    if (type !== "translation") {
      // Empty results are not sent.
      const found = results as unknown[];
      if (found.length === 0) return;
      return this.session.send({ kind: "utteranceAddon", addon: type, utteranceId: id, utterance, results: found });
    }
    for (const event of translationsOf(id, utterance, results as Translated[])) await this.session.send(event);
    // Each target language can fail separately.
    for (const { error: failure, languages } of results as Translated[]) {
      if (failure) await this.reportFailure(type, utterance, failure.message, languages);
    }
  }

  /** Sends an error once, and starts to fetch the translation models that are missing. */
  private async reportFailure(
    type: RealtimeAddon,
    { language }: Utterance,
    reason: string,
    targets: readonly string[],
  ): Promise<void> {
    const fetched =
      type === "translation" ? await this.session.fetchTranslation(language, targets).catch(() => []) : [];
    const how = fetched.length > 0 ? ` (${fetched.join(", ")}: being fetched, later utterances are translated)` : "";
    const whole = reason + how;
    if (this.sentErrors.has(whole)) return;
    this.sentErrors.add(whole);
    await this.session.send({ kind: "utteranceAddonFailed", addon: type, reason: whole });
  }
}
