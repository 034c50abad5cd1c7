// One model in sherpa-onnx: converts its tokens and times to words.
import "../../../platform/config/no-telemetry.ts";
import { createRequire } from "node:module";
import { frameEnergies } from "../../audio/frame-energies.ts";
import { SAMPLE_RATE } from "../../audio/sample-rate.ts";
import { silenceLevel, trimSilence } from "../../recognition/decoding/word-times.ts";
import { groupWords } from "../../recognition/decoding/words.ts";
import type {
  Recognition,
  RecognitionRequest,
  RecognizedWord,
  Recognizer,
  RecognizerCapabilities,
} from "../../recognition/recognizer.ts";
import { separatedWords } from "../../recognition/word-spans.ts";

const FEATURES = 80;
/** Frame for trimming words by energy. */
const SAMPLES_PER_FRAME = 320;
/** The models do not support shorter audio. */
const SHORTEST_SAMPLES = SAMPLE_RATE / 10;
/** sherpa-onnx reports no probabilities. */
const UNKNOWN_CONFIDENCE = 1;

interface Stream {
  acceptWaveform(audio: { samples: Float32Array; sampleRate: number }): void;
}
interface Answer {
  text: string;
  /** As <|en|>, if the model detects it. */
  lang?: string;
  tokens: string[];
  /** Seconds; undefined if the model has none. */
  timestamps?: number[];
}
interface Offline {
  createStream(): Stream;
  decode(stream: Stream): void;
  getResult(stream: Stream): Answer;
}

/** @throws Error if sherpa-onnx-node is not installed */
function createOffline(modelConfig: object): Offline {
  const require = createRequire(import.meta.url);
  let loaded: { OfflineRecognizer: new (config: object) => Offline };
  try {
    loaded = require("sherpa-onnx-node");
  } catch (cause) {
    throw new Error("sherpa-onnx-node is not installed; run: npm install sherpa-onnx-node", { cause });
  }
  return new loaded.OfflineRecognizer({ featConfig: { sampleRate: SAMPLE_RATE, featureDim: FEATURES }, modelConfig });
}

/** Normalises the space character of the tokens. */
const withSpaces = (token: string) => token.replaceAll("\u2581", " ");

export class SherpaRecognizer implements Recognizer {
  private readonly offline: Offline;

  constructor(
    config: object,
    private readonly model: { languages: readonly string[]; capabilities: RecognizerCapabilities },
  ) {
    this.offline = createOffline(config);
  }

  async recognize(request: RecognitionRequest): Promise<Recognition> {
    const { samples, detectOnlyLanguages = [] } = request;
    if (samples.length < SHORTEST_SAMPLES) return { words: [], language: this.languageOf(undefined, request) };
    const stream = this.offline.createStream();
    stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE });
    this.offline.decode(stream);
    const answer = this.offline.getResult(stream);
    const language = this.languageOf(answer.lang, request);
    const isDetectOnly = detectOnlyLanguages.includes(language);
    const isDetected = this.model.capabilities.languageDetection && request.languages?.length !== 1;
    return {
      words: isDetectOnly ? [] : wordsOf(answer, samples, language),
      language,
      ...(isDetected ? { languageProbabilities: [[language, 1]] } : {}),
    };
  }

  async close(): Promise<void> {
    // Freed by the garbage collector.
  }

  /** The detected language, otherwise the requested one. */
  private languageOf(detected: string | undefined, { languages = [] }: RecognitionRequest): string {
    const code = /^<?\|?([a-z]{2,3})\|?>?$/.exec(detected ?? "")?.[1];
    if (code !== undefined && this.model.languages.includes(code)) return code;
    return languages[0] ?? this.model.languages[0] ?? "en";
  }
}

function wordsOf({ text, tokens, timestamps = [] }: Answer, samples: Float32Array, language: string): RecognizedWord[] {
  const seconds = samples.length / SAMPLE_RATE;
  const hasTimes = timestamps.length === tokens.length && tokens.length > 0;
  // Without token times, words are spread over the segment in proportion to their length.
  const pieces = hasTimes ? tokens.map(withSpaces) : (text.trim().match(/(?<!\s)\s*\S+/gu) ?? []);
  const lengths = pieces.map(({ length }) => length);
  const all = lengths.reduce((sum, length) => sum + length, 0) || 1;
  let before = 0;
  const spread = lengths.map((length) => {
    const start = (seconds * before) / all;
    before += length;
    return start;
  });
  const starts = hasTimes ? timestamps : spread;
  const tokenizer = { bytes: (at: number) => Buffer.from(pieces[at] ?? ""), encode: () => [] };
  const groups = groupWords(
    pieces.map((_, at) => at),
    tokenizer,
    language,
  );
  const frames = Math.ceil(samples.length / SAMPLES_PER_FRAME);
  const energies = frameEnergies(samples, frames, SAMPLES_PER_FRAME);
  const silence = silenceLevel(energies);
  const frameSeconds = SAMPLES_PER_FRAME / SAMPLE_RATE;
  let earliest = 0;
  const words = groups.map(({ text: word, isJoined, from, soundFrom, to }) => {
    const begin = Math.min(frames - 1, Math.floor((starts[soundFrom] ?? starts[from] ?? 0) / frameSeconds));
    const end = Math.max(begin + 1, Math.min(frames, Math.ceil((starts[to] ?? seconds) / frameSeconds)));
    const trimmed = trimSilence({ start: begin, end }, energies, silence);
    const startSeconds = Math.max(earliest, hasTimes ? begin * frameSeconds : trimmed.start * frameSeconds);
    const endSeconds = Math.max(startSeconds, trimmed.end * frameSeconds);
    earliest = startSeconds;
    const joined = isJoined ? { isJoined } : {};
    return { text: word, ...joined, startSeconds, endSeconds, confidence: UNKNOWN_CONFIDENCE, tokens: [] };
  });
  return separatedWords(words, seconds);
}
