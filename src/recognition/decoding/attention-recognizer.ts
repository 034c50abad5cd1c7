// The recogniser that all engines with an attention decoder share: encode, decode with guards, words with times and
// confidences. What an engine is lies behind SpeechModel.
import type { Recognition, RecognitionRequest, RecognizedWord, Recognizer } from "../recognizer.ts";
import type { VocabularyTerm } from "../vocabulary.ts";
import type { AttentionDecoder, EncodedSpeech, LogitsRule } from "./decoder.ts";
import { type Decoding, decodeGreedily } from "./greedy.ts";
import type { Adviser, Opinion, TakeTurn } from "./second-opinion.ts";
import type { SpeechModel } from "./speech-model.ts";
import { StepBatch } from "./step-batch.ts";
import { surrounded } from "./surrounded.ts";
import { Turns } from "./turns.ts";
import { vocabularyBias } from "./vocabulary-bias.ts";
import { alignTokens, attendedFrom, canBeSaid, frameEnergies, silenceLevel, trimSilence } from "./word-times.ts";
import { groupWords, type TokenGroup } from "./words.ts";

/** Of so many pieces of audio that go on the beginnings are kept. */
const MOST_HEARD = 16;
/** A segment that made the decoder loop is cut in two down to this length. */
const SHORTEST_RETRY_SECONDS = 3;
const INVENTED_MAXIMUM_WORDS = 3;
/** A model that is this sure that nobody speaks is believed where it is not sure of its words either. */
const SURELY_NO_SPEECH = 0.6;
const UNSURE_CONFIDENCE = 0.45;

function isInvented(words: readonly RecognizedWord[], leastConfidence: number, noSpeech: number): boolean {
  if (words.length === 0) return false;
  const mean = words.reduce((sum, word) => sum + word.confidence, 0) / words.length;
  if (noSpeech > SURELY_NO_SPEECH && mean < UNSURE_CONFIDENCE) return true;
  return words.length <= INVENTED_MAXIMUM_WORDS && mean < leastConfidence;
}

export class AttentionRecognizer<Encoded extends EncodedSpeech, Cache, Memory extends { frames: number }>
  implements Recognizer
{
  private known: { key: string; rule: LogitsRule | undefined } | undefined;
  /** By the audio's name, least recently used first. */
  private readonly heard = new Map<string, Memory>();

  private readonly batch: StepBatch<Encoded, Cache>;
  private readonly turns = new Turns(() => this.batch.goOn());
  /** Of texts: no more are heard than go through the model together. */
  private readonly places: Turns;
  private readonly underWay = new Set<Promise<Recognition>>();

  /** @param adviser  asked where the model is in doubt */
  constructor(
    private readonly model: SpeechModel<Encoded, Cache, Memory>,
    private readonly adviser?: Adviser,
  ) {
    this.batch = new StepBatch(model, () => this.turns.isQuiet);
    this.places = new Turns(undefined, model.mostTexts);
  }

  recognize(request: RecognitionRequest): Promise<Recognition> {
    const isUrgent = request.isUrgent === true;
    const answer = this.places.take(isUrgent, () => this.turns.during(isUrgent, () => this.read(request)));
    this.underWay.add(answer);
    const end = () => this.underWay.delete(answer);
    answer.then(end, end);
    return answer;
  }

  async complete(): Promise<void> {
    await this.adviser?.load();
  }

  private async read(request: RecognitionRequest): Promise<Recognition> {
    const { silenceBehind, sampleRate } = this.model.traits;
    const seconds = request.samples.length / sampleRate;
    const mayRetry = (request.prefix?.length ?? 0) === 0;
    // What goes on is only looked at: a second try comes too late.
    const tries = mayRetry && request.audioId === undefined ? silenceBehind : silenceBehind.slice(0, 1);
    let last: { recognition: Recognition; isLost: boolean } | undefined;
    for (const behind of tries) {
      last = await this.attempt(request, behind);
      if (!last.isLost) return last.recognition;
    }
    if (mayRetry && seconds > SHORTEST_RETRY_SECONDS) return this.recognizeHalves(request);
    return (last as { recognition: Recognition }).recognition;
  }

  /** Texts that are under way are finished first. */
  async close(): Promise<void> {
    await Promise.allSettled(this.underWay);
    await Promise.all([this.model.release(), this.adviser?.release()]);
  }

  private async attempt(
    request: RecognitionRequest,
    behind: number,
  ): Promise<{ recognition: Recognition; isLost: boolean }> {
    const take: TakeTurn = (pass) => this.turns.take(request.isUrgent === true, pass);
    const encoded = await take(() => this.encode(request.samples, behind, request.audioId));
    // What goes on is only looked at.
    const opinion = request.audioId === undefined ? this.adviser?.on(request, take) : undefined;
    try {
      return await this.decode(request, encoded, take, opinion);
    } finally {
      this.model.drop?.(encoded);
      opinion?.end();
    }
  }

  private async decode(
    request: RecognitionRequest,
    encoded: Encoded,
    take: TakeTurn,
    opinion: Opinion | undefined,
  ): Promise<{ recognition: Recognition; isLost: boolean }> {
    const { model } = this;
    const { traits, tokenizer } = model;
    const { samples, prefix = [], draft, vocabulary = [], leftLanguages = [] } = request;
    const start = await take(() => model.start(encoded, request));
    const { language, languageProbabilities } = start;
    const told = { language, ...(languageProbabilities ? { languageProbabilities } : {}) };
    if (leftLanguages.includes(language)) return { recognition: { words: [], ...told }, isLost: false };
    const bias = vocabulary.length > 0 ? this.bias(vocabulary, language) : undefined;
    const seconds = Math.max(samples.length, traits.shortestSamples) / traits.sampleRate;
    const decoder: AttentionDecoder<Encoded, Cache> = {
      vocabularySize: model.vocabularySize,
      endToken: model.endToken,
      decode: (...pass) => take(() => model.decode(...pass)),
      step: (text) => this.batch.step(text, request.isUrgent === true),
      truncate: (...cache) => model.truncate(...cache),
    };
    const decoding = await decodeGreedily(decoder, encoded, {
      start,
      maximumTokens: Math.min(
        Math.ceil(seconds * traits.tokensPerSecond) + traits.spareTokens,
        Math.max(1, traits.mostTokens - start.fedTokens - start.tokens.length - prefix.length),
      ),
      prefix,
      ...(draft ? { draft } : {}),
      ...(opinion ? { opinion } : {}),
      rules: bias ? [...start.rules, bias] : start.rules,
    });
    const spoken = request.task === "translate" ? "en" : language;
    const words = this.words(decoding, request, (tokens) => groupWords(tokens, tokenizer, spoken));
    const { startLogits } = decoding;
    const noSpeech = start.noSpeechProbability ?? (startLogits && model.noSpeechProbability?.(startLogits)) ?? 0;
    const isNothing = isInvented(words, traits.inventedConfidence, noSpeech);
    return { recognition: { words: isNothing ? [] : words, ...told }, isLost: decoding.ending !== "end-of-text" };
  }

  private async encode(samples: Float32Array, behindSeconds: number, audioId: string | undefined): Promise<Encoded> {
    const { sampleRate, samplesPerFrame, silenceBefore, unsettledSeconds } = this.model.traits;
    const all = surrounded(samples, behindSeconds, this.model.traits);
    if (audioId === undefined) return (await this.model.encode(all)).encoded;
    const settled = Math.round(silenceBefore * sampleRate) + samples.length - unsettledSeconds * sampleRate;
    const settle = Math.max(0, Math.floor(settled / samplesPerFrame));
    const known = this.heard.get(audioId);
    const isBeginning = known !== undefined && known.frames <= settle;
    const { encoded, memory } = await this.model.encode(all, isBeginning ? known : undefined, settle);
    this.heard.delete(audioId);
    this.heard.set(audioId, memory);
    const [oldest] = this.heard.keys();
    if (this.heard.size > MOST_HEARD && oldest !== undefined) this.heard.delete(oldest);
    return encoded;
  }

  /** The last vocabulary's tree is kept: a recording's segments and a session's partials all have the same one. */
  private bias(vocabulary: readonly VocabularyTerm[], language: string): LogitsRule | undefined {
    const key = JSON.stringify([language, vocabulary]);
    if (this.known?.key !== key) this.known = { key, rule: vocabularyBias(vocabulary, language, this.model.tokenizer) };
    return this.known.rule;
  }

  /** The decoder lost its way: two shorter pieces, cut where it is quietest, are read one by one. */
  private async recognizeHalves(request: RecognitionRequest): Promise<Recognition> {
    const { sampleRate, samplesPerFrame } = this.model.traits;
    const { samples, draft: _, audioId: __, ...rest } = request;
    const frames = Math.floor(samples.length / samplesPerFrame);
    const energies = frameEnergies(samples, frames, samplesPerFrame);
    let cut = Math.floor(frames / 2);
    for (let frame = Math.floor(frames * 0.35); frame < frames * 0.65; frame++) {
      if ((energies[frame] as number) < (energies[cut] as number)) cut = frame;
    }
    const middle = cut * samplesPerFrame;
    const left = await this.read({ ...rest, samples: samples.slice(0, middle) });
    const right = await this.read({ ...rest, languages: [left.language], samples: samples.slice(middle) });
    const shift = middle / sampleRate;
    const moved = right.words.map((word) => ({
      ...word,
      startSeconds: word.startSeconds + shift,
      endSeconds: word.endSeconds + shift,
    }));
    return { ...left, words: [...left.words, ...moved] };
  }

  /** Words that begin behind the tokens that were taken as said. */
  private words(
    decoding: Decoding,
    { samples, prefix = [], task }: RecognitionRequest,
    group: (tokens: number[]) => TokenGroup[],
  ): RecognizedWord[] {
    const { sampleRate, samplesPerFrame, silenceBefore, startShiftSeconds, startShare } = this.model.traits;
    const { tokens } = decoding;
    // Only where there is audio somebody can have spoken.
    const first = Math.round((silenceBefore * sampleRate) / samplesPerFrame);
    const frames = Math.max(1, Math.min(decoding.frames - first, Math.ceil(samples.length / samplesPerFrame)));
    const attention = new Float32Array(tokens.length * frames);
    for (const [index, row] of decoding.attention.entries()) {
      attention.set(row.subarray(first, first + frames), index * frames);
    }
    const spans = alignTokens(attention, tokens.length, frames);
    const energies = frameEnergies(samples, frames, samplesPerFrame);
    const silence = silenceLevel(energies);
    const frameSeconds = samplesPerFrame / sampleRate;
    const audioSeconds = samples.length / sampleRate;
    let earliest = 0;
    const written = group(tokens.map((token) => token.id))
      .filter(({ from }) => from >= prefix.length)
      .map((word) => {
        const { soundFrom, soundTo } = word;
        const span = { start: spans[soundFrom]?.start ?? 0, end: spans[soundTo - 1]?.end ?? frames };
        const row = attention.subarray(soundFrom * frames, (soundFrom + 1) * frames);
        span.start = attendedFrom(row, spans[soundFrom] ?? span, startShare);
        return { ...word, span: trimSilence(span, energies, silence) };
      });
    const starts = written.map(({ span }) => span.start);
    // A translation has an order of its own.
    const said = task === "translate" ? undefined : canBeSaid(starts, frames);
    const fresh = said ? written.filter((_, at) => said[at]) : written;
    return fresh.map(({ text, isJoined, from, to, soundFrom, soundTo, span }) => {
      const shifted = Math.min(audioSeconds, span.start * frameSeconds + startShiftSeconds);
      const startSeconds = Math.max(earliest, shifted);
      const endSeconds = Math.max(startSeconds, Math.min(audioSeconds, span.end * frameSeconds));
      earliest = startSeconds;
      let sum = 0;
      for (let at = soundFrom; at < soundTo; at++) sum += tokens[at]?.logProbability ?? 0;
      const confidence = Math.exp(sum / (soundTo - soundFrom));
      const ids = tokens.slice(from, to).map((token) => token.id);
      return { text, ...(isJoined ? { isJoined } : {}), startSeconds, endSeconds, confidence, tokens: ids };
    });
  }
}
