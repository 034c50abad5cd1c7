// Recognises a stretch of a finished recording again, for a person who checks its transcript. It gives further texts of a word or phrase, or
// the words of another model or language. These requests run after live speech and before recordings; each account has few at once.
import { firstOf } from "../../contract/first-of.ts";
import type { JobParameters } from "../../contract/job-parameters.ts";
import type { AlternativesBody, RecognitionBody, StretchAlternatives, StretchWords } from "../../contract/stretches.ts";
import { MOST_ALTERNATIVES, MOST_RECOGNIZED_SECONDS, MOST_STRETCH_SECONDS } from "../../contract/stretches.ts";
import { milliseconds } from "../../contract/transcript/transcript.ts";
import { errors } from "../../platform/errors.ts";
import { FairSlots } from "../../platform/process/fairness/fair-slots.ts";
import { type Gap, recordingTime, storedTime } from "../../speech/audio/decode/gaps.ts";
import { SAMPLE_RATE } from "../../speech/audio/sample-rate.ts";
import { samplesOf } from "../../speech/audio/samples.ts";
import { cutSegments, DEFAULT_SEGMENTATION } from "../../speech/audio/voice-activity/segmentation.ts";
import type { RecognizedWord } from "../../speech/recognition/recognizer.ts";
import { textOfWords } from "../../speech/recognition/stretch.ts";
import { vocabularyOf } from "../../speech/recognition/vocabulary.ts";
import { sameWords } from "../../speech/text/bare-word.ts";
import type { RecognitionPool, TaskOptions } from "../inference/pool.ts";
import { type PlanSettings, planSpeech } from "../models/speech-plan.ts";
import type { ModelStore } from "../models/store.ts";
import type { DecodedRecording, DecodedRecordings, StoredRecording } from "./decoded-recordings.ts";

/** Bounds of the requests that are answered at once, and of those that wait. */
const REQUESTS = { slots: 8, slotsPerTenant: 2, waiting: 64, waitingPerTenant: 8 };
/** Audio before and after a stretch, seconds: the words around it make its own likelier or less likely. */
const BEFORE_SECONDS = 8;
const AFTER_SECONDS = 4;
/** Margin of a stretch that is recognised again, seconds: word times are accurate to about a tenth. */
const MARGIN_SECONDS = 0.1;
/** Less likely texts are left out. */
const LEAST_PROBABILITY = 0.005;

export interface StretchServices {
  recordings: DecodedRecordings;
  /** Starts the inference process, unless it runs. */
  recognition(): Promise<Pick<RecognitionPool, "recognize" | "textsOf" | "voiceActivity">>;
  models: Pick<ModelStore, "list" | "get">;
  speech: PlanSettings;
}

/** What a request needs of its job. */
export interface StretchJob extends StoredRecording {
  params: Pick<
    JobParameters,
    "model" | "language_config" | "custom_vocabulary" | "custom_vocabulary_config" | "account_words"
  >;
}

type Range = Pick<AlternativesBody, "start" | "end" | "channel">;

export class Stretches {
  private readonly slots = new FairSlots({
    ...REQUESTS,
    full: () => errors.stretchesBusy(REQUESTS.waitingPerTenant, REQUESTS.waiting),
  });

  constructor(private readonly services: StretchServices) {}

  /**
   * Texts that a word or phrase may have, the likeliest first.
   * @throws request.invalid, stretches.no_audio, stretches.busy, models.missing, recognition.language_unavailable, work.aborted
   */
  async alternatives(job: StretchJob, body: AlternativesBody, signal: AbortSignal): Promise<StretchAlternatives> {
    checkLength(body, MOST_STRETCH_SECONDS);
    const { model, languages } = await this.choice(job, body);
    return this.within(job, body, signal, async (recording, file) => {
      const [start, end] = [storedTime(body.start, recording.gaps), storedTime(body.end, recording.gaps)];
      const from = Math.max(0, start - BEFORE_SECONDS);
      const startSample = Math.round(from * SAMPLE_RATE);
      const audio = {
        file,
        startSample,
        sampleCount: Math.round((end + AFTER_SECONDS) * SAMPLE_RATE) - startSample,
      };
      const recognition = await this.services.recognition();
      const { language, texts } = await recognition.textsOf(
        model,
        { audio, vocabulary: vocabularyOf(job.params), languages, startSeconds: start - from, endSeconds: end - from },
        this.options(job, signal),
      );
      const isCurrent = ({ text }: { text: string }) => body.text !== undefined && sameWords(text, body.text);
      const probability = (share: number) => Math.round(share * 1000) / 1000;
      const current = texts.find(isCurrent);
      const others = texts.filter(
        (one, at) =>
          one.probability >= LEAST_PROBABILITY &&
          !isCurrent(one) &&
          // The same words in other marks are no other text.
          !texts.some(({ text }, earlier) => earlier < at && sameWords(text, one.text)),
      );
      const { first, rest } = firstOf(others, MOST_ALTERNATIVES);
      return {
        model,
        language,
        ...(current ? { probability: probability(current.probability) } : {}),
        alternatives: first.map((one) => ({ text: one.text, probability: probability(one.probability) })),
        ...(rest > 0 ? { further_alternatives: rest } : {}),
      };
    });
  }

  /** The words of a stretch, from a model and in a language of the caller's choice. @throws as alternatives */
  async recognize(job: StretchJob, body: RecognitionBody, signal: AbortSignal): Promise<StretchWords> {
    checkLength(body, MOST_RECOGNIZED_SECONDS);
    const { model, languages } = await this.choice(job, body);
    return this.within(job, body, signal, async (recording, file) => {
      const from = Math.max(0, storedTime(body.start, recording.gaps) - MARGIN_SECONDS);
      const until = storedTime(body.end, recording.gaps) + MARGIN_SECONDS;
      const startSample = Math.round(from * SAMPLE_RATE);
      const samples = await samplesOf({
        file,
        startSample,
        sampleCount: Math.round(until * SAMPLE_RATE) - startSample,
      });
      const recognition = await this.services.recognition();
      const options = this.options(job, signal);
      const words: RecognizedWord[] = [];
      let language = languages.length === 1 ? languages[0] : undefined;
      for (const { startSample: first, endSample: last } of await this.segmentsOf(samples, options)) {
        const task = {
          audio: samples.slice(first, last),
          vocabulary: vocabularyOf(job.params),
          languages: language === undefined ? languages : [language],
        };
        const found = await recognition.recognize(model, task, options);
        if (found.words.length > 0) language ??= found.language;
        const shift = from + first / SAMPLE_RATE;
        words.push(...found.words.map((word) => shifted(word, shift, recording.gaps)));
      }
      return {
        model,
        ...(language === undefined ? {} : { language }),
        text: textOfWords(words),
        words: words.map((word, at) => ({
          word: at === 0 || word.isJoined ? word.text : ` ${word.text}`,
          start: milliseconds(word.startSeconds),
          end: milliseconds(word.endSeconds),
          confidence: Math.round(word.confidence * 100) / 100,
        })),
      };
    });
  }

  /** Segments that models accept. A stretch that is short enough is one segment, without voice activity detection. */
  private async segmentsOf(samples: Float32Array, options: TaskOptions) {
    if (samples.length <= DEFAULT_SEGMENTATION.maximumSeconds * SAMPLE_RATE)
      return [{ startSample: 0, endSample: samples.length }];
    const recognition = await this.services.recognition();
    const { probabilities } = await recognition.voiceActivity(samples, undefined, options);
    return cutSegments(probabilities, samples.length);
  }

  private options({ tenant }: StretchJob, signal: AbortSignal): TaskOptions {
    return { priority: "awaited", tenant, signal };
  }

  private async choice(
    { params: { model, language_config } }: StretchJob,
    body: Pick<AlternativesBody, "model" | "language">,
  ): Promise<{ model: string; languages: readonly string[] }> {
    const { models, speech } = this.services;
    const own = body.language === undefined ? language_config.languages : [body.language];
    const named = body.model ?? model;
    const request = { languages: own, codeSwitching: false, ...(named === undefined ? {} : { model: named }) };
    const plan = planSpeech(request, await models.list(), speech);
    const chosen = plan.languages.join() === "en" ? (plan.englishModel ?? plan.model) : plan.model;
    await models.get(chosen);
    return { model: chosen, languages: plan.languages };
  }

  /** Runs `work` with the samples of the stretch's channel, when the account has a free slot. */
  private within<Result>(
    job: StretchJob,
    range: Range,
    signal: AbortSignal,
    work: (recording: DecodedRecording, file: string) => Promise<Result>,
  ): Promise<Result> {
    const { channel = 0, start } = range;
    return this.slots.run(
      job.tenant,
      () =>
        this.services.recordings.use(job, signal, (recording) => {
          const file = recording.channels[channel];
          const problems = [
            ...(file === undefined
              ? [`channel must be less than ${recording.channels.length}, the number of channels; it is ${channel}`]
              : []),
            ...(start < recording.durationSeconds
              ? []
              : [`start must be less than ${recording.durationSeconds}, the length of the recording; it is ${start}`]),
          ];
          if (file === undefined || problems.length > 0) throw errors.invalidParameters(problems);
          return work(recording, file);
        }),
      signal,
    );
  }
}

function shifted(word: RecognizedWord, seconds: number, gaps: readonly Gap[]): RecognizedWord {
  return {
    ...word,
    startSeconds: recordingTime(word.startSeconds + seconds, gaps),
    endSeconds: recordingTime(word.endSeconds + seconds, gaps),
  };
}

/** @throws request.invalid */
function checkLength({ start, end }: Range, mostSeconds: number): void {
  if (end <= start)
    throw errors.invalidParameters([`end must be greater than start; it is ${end}, and start is ${start}`]);
  if (end - start > mostSeconds)
    throw errors.invalidParameters([
      `end must be at most ${mostSeconds} s after start; it is ${milliseconds(end - start)} s after it`,
    ]);
}
