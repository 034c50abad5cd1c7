// Recogniser shared by all engines with an attention decoder: encodes, decodes with guards, and returns words with
// times and confidences. SpeechModel hides the engine.
import { meanConfidence } from "../../../contract/transcript/mean-confidence.ts";
import { frameEnergies } from "../../audio/frame-energies.ts";
import { levelled } from "../../audio/voice-activity/leveller.ts";
import type {
  Recognition,
  RecognitionRequest,
  RecognizedWord,
  Recognizer,
  StretchRequest,
  StretchTexts,
} from "../recognizer.ts";
import { isWithin } from "../stretch.ts";
import type { VocabularyTerm } from "../vocabulary.ts";
import { DOUBTFUL_PROBABILITY, likeliestText } from "./alternatives.ts";
import type { AttentionDecoder, EncodedSpeech } from "./decoder.ts";
import type { EnsembleModel, EnsembleScorer, TakeTurn } from "./ensemble.ts";
import { continueGreedily, decodeGreedily } from "./greedy.ts";
import { withoutInvented } from "./invented-repetitions.ts";
import { recoverMissedSpeech } from "./missed-speech.ts";
import { PrioritySemaphore } from "./priority-semaphore.ts";
import { padWithSilence } from "./silence-padding.ts";
import { isSpoken, isTooShort, type VoiceActivity } from "./speech-evidence.ts";
import type { SpeechModel } from "./speech-model.ts";
import { StepBatch } from "./step-batch.ts";
import { textsOfStretch } from "./stretch-texts.ts";
import { timedWords } from "./timed-words.ts";
import { type VocabularyBias, vocabularyBias } from "./vocabulary-bias.ts";
import { differInCase, groupsAfter, groupWords, textOf } from "./words.ts";

/** Number of growing audio segments whose encoder output is cached. */
const CACHED_AUDIO_SEGMENTS = 16;
/** If the decoder loops on a segment longer than this, the segment is split in two. */
const SHORTEST_RETRY_SECONDS = 3;
const HALLUCINATION_MAXIMUM_WORDS = 3;
/** Above this no-speech probability, a low-confidence result is discarded. */
const NO_SPEECH_PROBABILITY = 0.6;
const LOW_CONFIDENCE = 0.45;

function isHallucination(words: readonly RecognizedWord[], leastConfidence: number, noSpeech: number): boolean {
  if (words.length === 0) return false;
  const mean = meanConfidence(words);
  if (noSpeech > NO_SPEECH_PROBABILITY && mean < LOW_CONFIDENCE) return true;
  return words.length <= HALLUCINATION_MAXIMUM_WORDS && mean < leastConfidence;
}

/** A request for a section of the audio. @param startSeconds  of the samples in it */
function sectionOf<Request extends Pick<RecognitionRequest, "activity">>(
  { activity, ...request }: Request,
  samples: Float32Array,
  startSeconds: number,
) {
  const shifted = activity && { ...activity, startSeconds: activity.startSeconds - startSeconds };
  return { ...request, samples, ...(shifted ? { activity: shifted } : {}) };
}

/** A recognition, and the end of the prefix that it continues, seconds. */
interface SegmentResult {
  recognition: Recognition;
  prefixEndSeconds: number;
}

export class AttentionRecognizer<Encoded extends EncodedSpeech, Cache, Memory extends { frames: number }>
  implements Recognizer
{
  private cachedBias: { key: string; bias: VocabularyBias | undefined } | undefined;
  /** Encoder output by audio id, least recently used first. */
  private readonly encoderCache = new Map<string, Memory>();

  private readonly batch: StepBatch<Encoded, Cache>;
  private readonly passes = new PrioritySemaphore(() => this.batch.schedule());
  /** Limits the number of concurrent requests to the batch size of the model, and the seconds of audio in them. */
  private readonly requests: PrioritySemaphore;
  private readonly pending = new Set<Promise<unknown>>();

  /**
   * @param ensemble  a second model for tokens that the first one is uncertain about
   * @param detector  voice activity detection, which decides whether a doubtful short answer was spoken
   */
  constructor(
    private readonly model: SpeechModel<Encoded, Cache, Memory>,
    private readonly ensemble?: EnsembleModel,
    private readonly detector?: VoiceActivity,
  ) {
    this.batch = new StepBatch(model, () => this.passes.isIdle);
    this.requests = new PrioritySemaphore(undefined, model.batchSize, model.traits.secondsAtOnce);
  }

  recognize(request: RecognitionRequest): Promise<Recognition> {
    return this.inTurn(request, () => this.recognizeFully(request));
  }

  textsOf(request: StretchRequest): Promise<StretchTexts> {
    return this.inTurn(request, () => this.findTexts(request));
  }

  private inTurn<Answer>(
    { samples, isUrgent = false }: Pick<RecognitionRequest, "samples" | "isUrgent">,
    answer: () => Promise<Answer>,
  ): Promise<Answer> {
    const seconds = samples.length / this.model.traits.sampleRate;
    const result = this.requests.run(isUrgent, () => this.passes.runRequest(isUrgent, answer), seconds);
    this.pending.add(result);
    result.catch(() => undefined).finally(() => this.pending.delete(result));
    return result;
  }

  async loadFallback(): Promise<void> {
    await this.ensemble?.load();
  }

  private async recognizeFully(request: RecognitionRequest): Promise<Recognition> {
    const { recognition, prefixEndSeconds } = await this.recognizeOnce(request);
    const isDetectOnly = request.detectOnlyLanguages?.includes(recognition.language) === true;
    // A partial is soon replaced by the next one.
    if (!this.detector || request.audioId !== undefined || isDetectOnly) return recognition;
    const { prefix: _, draft: __, languageBias: ___, detectOnlyLanguages: ____, ...rest } = request;
    const words = await recoverMissedSpeech(recognition.words, request.samples, {
      fromSeconds: prefixEndSeconds,
      sampleRate: this.model.traits.sampleRate,
      isTranslation: request.task === "translate",
      language: recognition.language,
      detector: this.detector,
      recognize: async (samples, startSeconds) => {
        const given = { ...sectionOf(rest, samples, startSeconds), languages: [recognition.language] };
        const further = await this.recognizeOnce(given);
        return further.recognition.words;
      },
    });
    return { ...recognition, words };
  }

  private async recognizeOnce(given: RecognitionRequest): Promise<SegmentResult> {
    // Growing audio is not levelled: the cached encoder output of its beginning must stay valid.
    const request = given.audioId === undefined ? { ...given, samples: levelled(given.samples) } : given;
    const { trailingSilenceSeconds, sampleRate } = this.model.traits;
    const seconds = request.samples.length / sampleRate;
    const mayRetry = (request.prefix?.length ?? 0) === 0;
    // Partials are not retried: the result would come too late.
    const tries =
      mayRetry && request.audioId === undefined ? trailingSilenceSeconds : trailingSilenceSeconds.slice(0, 1);
    let last: (SegmentResult & { hasFailed: boolean }) | undefined;
    for (const trailingSeconds of tries) {
      last = await this.attempt(request, trailingSeconds);
      if (!last.hasFailed) return last;
    }
    if (mayRetry && seconds > SHORTEST_RETRY_SECONDS) {
      const { words: _, ...ofWhole } = (last as SegmentResult).recognition;
      return { recognition: await this.recognizeHalves(request, ofWhole), prefixEndSeconds: 0 };
    }
    return last as SegmentResult;
  }

  /** Waits for pending requests first. */
  async close(): Promise<void> {
    await Promise.allSettled(this.pending);
    await Promise.all([this.model.release(), this.ensemble?.release()]);
  }

  private attempt(
    request: RecognitionRequest,
    trailingSeconds: number,
  ): Promise<SegmentResult & { hasFailed: boolean }> {
    return this.withEncoded(request, trailingSeconds, (...given) => this.decode(request, ...given));
  }

  private async withEncoded<Answer>(
    request: RecognitionRequest,
    trailingSeconds: number,
    work: (encoded: Encoded, runPass: TakeTurn, scorer: EnsembleScorer | undefined) => Promise<Answer>,
  ): Promise<Answer> {
    const runPass: TakeTurn = (pass) => this.passes.run(request.isUrgent === true, pass);
    const encoded = await runPass(() => this.encode(request.samples, trailingSeconds, request.audioId));
    // Partials use the first model only.
    const scorer = request.audioId === undefined ? this.ensemble?.startScorer(request, runPass) : undefined;
    try {
      return await work(encoded, runPass, scorer);
    } finally {
      this.model.releaseAudio?.(encoded);
      scorer?.end();
    }
  }

  private async findTexts(given: StretchRequest): Promise<StretchTexts> {
    const request = { ...given, samples: levelled(given.samples) };
    return this.withEncoded(request, this.model.traits.trailingSilenceSeconds[0], async (encoded, ...given) => {
      const { languageResult, text } = await this.decodeText(request, encoded, ...given);
      const { language } = languageResult;
      if (!text) return { language, texts: [] };
      const { decoder, start, decoding } = text;
      const wordsOf = (tokens: readonly number[]) => groupWords(tokens, this.model.tokenizer, language);
      const fresh = wordsOf(decoding.tokens.map(({ id }) => id));
      const { words, ranges } = timedWords(decoding, request, { fresh }, this.model.traits);
      const inside = ranges.filter((_, at) => isWithin(words[at] as RecognizedWord, request));
      const [first] = inside;
      if (!first) return { language, texts: [] };
      const texts = await textsOfStretch({
        decoder,
        encoded,
        cache: decoding.cache,
        startTokens: start.fedTokens + start.tokens.length,
        lastStartToken: start.tokens.at(-1) as number,
        tokens: decoding.tokens,
        from: first.from,
        to: (inside.at(-1) ?? first).to,
        rules: start.rules,
        wordsOf,
      });
      return { language, texts };
    });
  }

  /** Decodes the text of encoded audio. @returns undefined if the language is only to be detected */
  private async decodeText(
    request: RecognitionRequest,
    encoded: Encoded,
    runPass: TakeTurn,
    scorer: EnsembleScorer | undefined,
  ) {
    const { model } = this;
    const { traits, tokenizer } = model;
    const { samples, prefix = [], draft, vocabulary = [], detectOnlyLanguages = [] } = request;
    const start = await runPass(() => model.start(encoded, request));
    const { language, languageProbabilities } = start;
    const languageResult = { language, ...(languageProbabilities ? { languageProbabilities } : {}) };
    if (detectOnlyLanguages.includes(language)) return { languageResult, text: undefined };
    const bias = vocabulary.length > 0 ? this.bias(vocabulary, language) : undefined;
    const seconds = Math.max(samples.length, traits.shortestSamples) / traits.sampleRate;
    const decoder: AttentionDecoder<Encoded, Cache> = {
      vocabularySize: model.vocabularySize,
      endToken: model.endToken,
      decode: (...pass) => runPass(() => model.decode(...pass)),
      step: (text) => this.batch.step(text, request.isUrgent === true),
      truncate: (...cache) => model.truncate(...cache),
      fork: (...cache) => model.fork(...cache),
    };
    const isSearched = traits.searchesAlternatives === true && request.audioId === undefined;
    const options = {
      start,
      maximumTokens: Math.min(
        Math.ceil(seconds * traits.tokensPerSecond) + traits.spareTokens,
        Math.max(1, traits.maximumTokens - start.fedTokens - start.tokens.length - prefix.length),
      ),
      prefix,
      ...(draft ? { draft } : {}),
      ...(scorer ? { scorer } : {}),
      rules: start.rules,
      bias,
      ...(isSearched ? { secondsBelow: DOUBTFUL_PROBABILITY } : {}),
    };
    let decoding = await decodeGreedily(decoder, encoded, options);
    if (isSearched && decoding.ending === "end-of-text") {
      const before = start.fedTokens + start.tokens.length;
      const textOfToken = (token: number) => textOf([tokenizer.bytes(token)]);
      decoding = await likeliestText(decoding, prefix.length, request.isUrgent === true, {
        differInCase: (one, other) => differInCase(textOfToken(one), textOfToken(other)),
        branch: ({ tokens, attention, cache }, at, token) => ({
          tokens: [...tokens.slice(0, at), token],
          attention: attention.slice(0, at + 1),
          cache: model.fork(cache, before + at),
        }),
        continue: (state, further) => continueGreedily(decoder, encoded, options, state, further),
      });
    }
    return { languageResult, text: { decoder, start, decoding } };
  }

  private async decode(
    request: RecognitionRequest,
    encoded: Encoded,
    runPass: TakeTurn,
    scorer: EnsembleScorer | undefined,
  ): Promise<SegmentResult & { hasFailed: boolean }> {
    const { model } = this;
    const { traits, tokenizer } = model;
    const { prefix = [] } = request;
    const { languageResult, text } = await this.decodeText(request, encoded, runPass, scorer);
    if (!text) return { recognition: { words: [], ...languageResult }, prefixEndSeconds: 0, hasFailed: false };
    const { start, decoding } = text;
    const spoken = request.task === "translate" ? "en" : languageResult.language;
    const ids = decoding.tokens.map((token) => token.id);
    const groups = {
      known: groupWords(prefix, tokenizer, spoken).at(-1),
      fresh: groupsAfter(ids, prefix.length, tokenizer, spoken),
    };
    const { words, prefixEndSeconds } = timedWords(decoding, request, groups, traits);
    const { startLogits, emptyProbability } = decoding;
    const noSpeech = start.noSpeechProbability ?? (startLogits && model.noSpeechProbability?.(startLogits)) ?? 0;
    const isMoment = request.audioId === undefined && isTooShort(request.samples, words.length);
    const isNoSpeech =
      traits.evidence && this.detector
        ? words.length > 0 && !(await isSpoken(words, request, emptyProbability, traits.evidence, this.detector))
        : isHallucination(words, traits.hallucinationConfidence, noSpeech);
    const recognition = { words: isMoment || isNoSpeech ? [] : withoutInvented(words, request), ...languageResult };
    return { recognition, prefixEndSeconds, hasFailed: decoding.ending !== "end-of-text" };
  }

  private async encode(samples: Float32Array, trailingSeconds: number, audioId: string | undefined): Promise<Encoded> {
    const { sampleRate, samplesPerFrame, leadingSilenceSeconds, unsettledSeconds } = this.model.traits;
    const all = padWithSilence(samples, trailingSeconds, this.model.traits);
    if (audioId === undefined) return (await this.model.encode(all)).encoded;
    const finalSamples =
      Math.round(leadingSilenceSeconds * sampleRate) + samples.length - unsettledSeconds * sampleRate;
    const finalFrames = Math.max(0, Math.floor(finalSamples / samplesPerFrame));
    const known = this.encoderCache.get(audioId);
    const isReusable = known !== undefined && known.frames <= finalFrames;
    const { encoded, memory } = await this.model.encode(all, isReusable ? known : undefined, finalFrames);
    this.encoderCache.delete(audioId);
    this.encoderCache.set(audioId, memory);
    const [oldest] = this.encoderCache.keys();
    if (this.encoderCache.size > CACHED_AUDIO_SEGMENTS && oldest !== undefined) this.encoderCache.delete(oldest);
    return encoded;
  }

  /**
   * Caches the bias of the last vocabulary: all segments of a recording, and all partials of a session, have the same
   * one.
   */
  private bias(vocabulary: readonly VocabularyTerm[], language: string): VocabularyBias | undefined {
    const key = JSON.stringify([language, vocabulary]);
    if (this.cachedBias?.key !== key)
      this.cachedBias = { key, bias: vocabularyBias(vocabulary, language, this.model.tokenizer) };
    return this.cachedBias.bias;
  }

  /**
   * After a failed decoding, splits the segment at the quietest place near its middle and recognises both halves, in the language of the
   * whole: a half has less audio to detect it.
   */
  private async recognizeHalves(
    request: RecognitionRequest,
    ofWhole: Omit<Recognition, "words">,
  ): Promise<Recognition> {
    const { sampleRate, samplesPerFrame } = this.model.traits;
    const { samples, draft: _, audioId: __, ...others } = request;
    const rest = { ...others, languages: [ofWhole.language] };
    const frames = Math.floor(samples.length / samplesPerFrame);
    const energies = frameEnergies(samples, frames, samplesPerFrame);
    let cut = Math.floor(frames / 2);
    for (let frame = Math.floor(frames * 0.35); frame < frames * 0.65; frame++) {
      if ((energies[frame] as number) < (energies[cut] as number)) cut = frame;
    }
    const middle = cut * samplesPerFrame;
    const shift = middle / sampleRate;
    const { recognition: left } = await this.recognizeOnce({ ...rest, samples: samples.slice(0, middle) });
    const { recognition: right } = await this.recognizeOnce(sectionOf(rest, samples.slice(middle), shift));
    const shifted = right.words.map((word) => ({
      ...word,
      startSeconds: word.startSeconds + shift,
      endSeconds: word.endSeconds + shift,
    }));
    return { ...ofWhole, words: [...left.words, ...shifted] };
  }
}
