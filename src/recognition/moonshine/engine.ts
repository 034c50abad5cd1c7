// Moonshine as a recognition engine: encode, decode with guards, words with times and confidences.
import { padded } from "../../audio/padded.ts";
import type { Engine, Recognition, RecognitionRequest, RecognizedWord, Recognizer } from "../recognizer.ts";
import type { VocabularyTerm } from "../vocabulary.ts";
import { BASE, type MoonshineVariant, SAMPLE_RATE, SAMPLES_PER_FRAME, SHORTEST_SAMPLES, TINY } from "./config.ts";
import { type Decoding, decodeGreedily, type LogitsBias } from "./greedy.ts";
import { type Encoded, type Heard, MoonshineModel } from "./model.ts";
import { loadTokenizer, type Tokenizer } from "./tokenizer.ts";
import { vocabularyBias } from "./vocabulary.ts";
import { alignTokens, type FrameSpan, frameEnergies, silenceLevel, trimSilence } from "./word-times.ts";

/** What comes this long after a frame hardly changes what the encoder makes of it; the silence behind a cut included. */
const UNSETTLED_SECONDS = 1.1;
/** Of so many pieces of audio that go on the beginnings are kept; base takes about a megabyte for each second. */
const MOST_HEARD = 4;

/** No speaker passes this; a decoder that does has lost the speech. */
const TOKENS_PER_SECOND = 7;
const SPARE_TOKENS = 6;
/** A segment that made the decoder loop is cut in two down to this length. */
const SHORTEST_RETRY_SECONDS = 3;
/** Below this mean token probability short answers are noise read as words. */
const INVENTED_CONFIDENCE = 0.35;
const INVENTED_MAXIMUM_WORDS = 3;

const PUNCTUATION_ONLY = /^[^\p{L}\p{N}]*$/u;

interface TokenGroup {
  text: string;
  /** Index of the first token and one past the last. */
  from: number;
  to: number;
  /** The same without trailing punctuation tokens, which have no sound. */
  soundTo: number;
}

/** Groups tokens into words: a token that begins with a space begins a word; bare punctuation joins the word before. */
export function groupWords(tokens: readonly number[], tokenizer: Tokenizer): TokenGroup[] {
  const groups: TokenGroup[] = [];
  let parts: Uint8Array[] = [];
  const close = (to: number) => {
    const group = groups.at(-1);
    if (!group) return;
    group.to = to;
    group.text = Buffer.concat(parts).toString("utf8").trim();
  };
  for (const [index, token] of tokens.entries()) {
    const bytes = tokenizer.bytes(token);
    const isPunctuation = PUNCTUATION_ONLY.test(Buffer.from(bytes).toString("utf8"));
    if (groups.length === 0 || (bytes[0] === 0x20 && !isPunctuation)) {
      close(index);
      groups.push({ text: "", from: index, to: index, soundTo: index + 1 });
      parts = [];
    }
    parts.push(bytes);
    if (!isPunctuation) (groups.at(-1) as TokenGroup).soundTo = index + 1;
  }
  close(tokens.length);
  return groups.filter((group) => group.text !== "");
}

/** Mean over the alignment heads: row-major [tokens, frames]. */
function meanAttention(decoding: Decoding, variant: MoonshineVariant): Float32Array {
  const { frames, tokens, attention } = decoding;
  const mean = new Float32Array(tokens.length * frames);
  for (const [layer, head] of variant.alignmentHeads) {
    const rows = attention[variant.alignmentLayers.indexOf(layer)] as Float32Array[];
    for (let token = 0; token < tokens.length; token++) {
      const row = rows[token] as Float32Array;
      for (let frame = 0; frame < frames; frame++) {
        mean[token * frames + frame] =
          (mean[token * frames + frame] as number) + (row[head * frames + frame] as number);
      }
    }
  }
  return mean;
}

class MoonshineRecognizer implements Recognizer {
  private known: { key: string; bias?: LogitsBias } | undefined;
  /** By the audio's name, least recently used first. */
  private readonly heard = new Map<string, Heard>();

  constructor(
    private readonly model: MoonshineModel,
    private readonly tokenizer: Tokenizer,
  ) {}

  async recognize(request: RecognitionRequest): Promise<Recognition> {
    const samples =
      request.samples.length >= SHORTEST_SAMPLES ? request.samples : padded(request.samples, SHORTEST_SAMPLES);
    const seconds = samples.length / SAMPLE_RATE;
    const encoded = await this.encode(samples, request.audioId);
    const { prefix = [], draft, vocabulary } = request;
    const bias = vocabulary && vocabulary.length > 0 ? this.bias(vocabulary) : undefined;
    const decoding = await decodeGreedily(this.model, encoded, {
      maximumTokens: Math.ceil(seconds * TOKENS_PER_SECOND) + SPARE_TOKENS,
      prefix,
      ...(draft ? { draft } : {}),
      ...(bias ? { bias } : {}),
    });
    const isLost = decoding.ending !== "end-of-text";
    if (isLost && prefix.length === 0 && seconds > SHORTEST_RETRY_SECONDS)
      return this.recognizeHalves(samples, vocabulary);
    const words = this.words(decoding, samples, prefix.length);
    return { words: isInvented(words) ? [] : words, language: "en" };
  }

  async close(): Promise<void> {
    await this.model.release();
  }

  private async encode(samples: Float32Array, audioId: string | undefined): Promise<Encoded> {
    if (audioId === undefined) return this.model.encode(samples);
    const settle = Math.max(0, Math.floor((samples.length - UNSETTLED_SECONDS * SAMPLE_RATE) / SAMPLES_PER_FRAME));
    const known = this.heard.get(audioId);
    const isBeginning = known !== undefined && known.frames <= settle;
    const { heard, ...encoded } = await this.model.encode(samples, isBeginning ? known : undefined, settle);
    this.heard.delete(audioId);
    this.heard.set(audioId, heard);
    const [oldest] = this.heard.keys();
    if (this.heard.size > MOST_HEARD && oldest !== undefined) this.heard.delete(oldest);
    return encoded;
  }

  /** The last vocabulary's tree is kept: a recording's segments and a session's partials all have the same one. */
  private bias(vocabulary: readonly VocabularyTerm[]): LogitsBias | undefined {
    const key = JSON.stringify(vocabulary);
    if (this.known?.key !== key) {
      const bias = vocabularyBias(vocabulary, this.tokenizer);
      this.known = { key, ...(bias ? { bias } : {}) };
    }
    return this.known.bias;
  }

  /** The decoder lost its way: two shorter pieces, cut where it is quietest, are read one by one. */
  private async recognizeHalves(
    samples: Float32Array,
    vocabulary: RecognitionRequest["vocabulary"] = [],
  ): Promise<Recognition> {
    const frames = Math.floor(samples.length / SAMPLES_PER_FRAME);
    const energies = frameEnergies(samples, frames);
    let cut = Math.floor(frames / 2);
    for (let frame = Math.floor(frames * 0.35); frame < frames * 0.65; frame++) {
      if ((energies[frame] as number) < (energies[cut] as number)) cut = frame;
    }
    const middle = cut * SAMPLES_PER_FRAME;
    const left = await this.recognize({ samples: samples.slice(0, middle), vocabulary });
    const right = await this.recognize({ samples: samples.slice(middle), vocabulary });
    const shift = middle / SAMPLE_RATE;
    const moved = right.words.map((word) => ({
      ...word,
      startSeconds: word.startSeconds + shift,
      endSeconds: word.endSeconds + shift,
    }));
    return { words: [...left.words, ...moved], language: left.language };
  }

  /** Words that begin after the first `settled` tokens. */
  private words(decoding: Decoding, samples: Float32Array, settled: number): RecognizedWord[] {
    const { variant } = this.model;
    const { frames, tokens } = decoding;
    const spans = alignTokens(meanAttention(decoding, variant), tokens.length, frames);
    const energies = frameEnergies(samples, frames);
    const silence = silenceLevel(energies);
    const groups = groupWords(
      tokens.map((token) => token.id),
      this.tokenizer,
    );
    let earliest = 0;
    const fresh = groups.filter((group) => group.from >= settled);
    return fresh.map((group) => {
      const span = { start: spans[group.from]?.start ?? 0, end: spans[group.soundTo - 1]?.end ?? frames };
      const trimmed: FrameSpan = trimSilence(span, energies, silence);
      const start = Math.max(earliest, (trimmed.start * SAMPLES_PER_FRAME) / SAMPLE_RATE + variant.startShiftSeconds);
      const end = Math.max(start, (trimmed.end * SAMPLES_PER_FRAME) / SAMPLE_RATE);
      earliest = start;
      let sum = 0;
      for (let at = group.from; at < group.soundTo; at++) sum += tokens[at]?.logProbability ?? 0;
      const confidence = Math.exp(sum / (group.soundTo - group.from));
      const ids = tokens.slice(group.from, group.to).map((token) => token.id);
      return { text: group.text, startSeconds: start, endSeconds: end, confidence, tokens: ids };
    });
  }
}

function isInvented(words: RecognizedWord[]): boolean {
  if (words.length === 0 || words.length > INVENTED_MAXIMUM_WORDS) return false;
  const mean = words.reduce((sum, word) => sum + word.confidence, 0) / words.length;
  return mean < INVENTED_CONFIDENCE;
}

function moonshineEngine(variant: MoonshineVariant): Engine {
  return {
    id: variant.id,
    languages: ["en"],
    sampleRate: SAMPLE_RATE,
    capabilities: { wordTimes: true, confidence: true, continuation: true, vocabulary: true },
    load: async () => new MoonshineRecognizer(await MoonshineModel.load(variant), loadTokenizer()),
  };
}

export const moonshineBase = moonshineEngine(BASE);
export const moonshineTiny = moonshineEngine(TINY);
