// Live speakers of recordings, as a session would find them: audio in tenths of a second, words 0.7 s after their end.
import { loadSpeakerNetworks } from "../src/speech/engines/speaker-networks/load.ts";
import { LiveDiarizer } from "../src/speech/speakers/live-diarizer.ts";
import { LiveWords } from "../src/speech/speakers/live-words.ts";
import type { SpeakerSpan } from "./diarization-error.ts";
import { SAMPLE_RATE } from "./recordings.ts";

type SpokenWord = SpeakerSpan & { word: string };

interface LiveSpeakersFound {
  /** For each recording the turns two seconds after they were spoken. */
  early: SpeakerSpan[][];
  /** Ten seconds after, with joined speakers joined. */
  corrected: SpeakerSpan[][];
  wordsWithFinal: SpokenWord[][];
  wordsCorrected: SpokenWord[][];
  /** Processor time of networks and clustering, percent of the audio's duration. */
  corePercent: number;
}

const CHUNK_SAMPLES = SAMPLE_RATE / 10;
const STEP_SECONDS = 0.5;
const EARLY_SECONDS = 2;
const CORRECTED_SECONDS = 10;
/** Time from the end of a word to its final: endpointing and recognition. */
const FINAL_SECONDS = 0.7;

/** @param folder  of the speaker model */
export async function liveSpeakers(
  folder: string,
  recordings: readonly { samples: Float32Array; words: readonly SpokenWord[] }[],
): Promise<LiveSpeakersFound> {
  const loaded = await loadSpeakerNetworks(folder);
  const networks = {
    segment: (samples: Float32Array) => loaded.segment(samples, 1),
    voices: async (stretches: readonly Float32Array[]) => ({
      dimensions: loaded.dimensions,
      voices: await loaded.voices(stretches),
    }),
  };
  const found: LiveSpeakersFound = { early: [], corrected: [], wordsWithFinal: [], wordsCorrected: [], corePercent: 0 };
  const before = process.cpuUsage();
  let seconds = 0;
  for (const { samples, words } of recordings) {
    const diarizer = new LiveDiarizer(networks, { minimum: 1, maximum: 30 });
    let next = 0;
    const live = new LiveWords(() => next++);
    const views: { lag: number; spans: SpeakerSpan[] }[] = [
      { lag: EARLY_SECONDS, spans: [] },
      { lag: CORRECTED_SECONDS, spans: [] },
    ];
    const joins = new Map<SpeakerSpan["speaker"], number>();
    const first: SpokenWord[] = [];
    const last: SpokenWord[] = [];
    let waiting = [...words].sort((left, right) => left.end - right.end);
    const padded = new Float32Array(samples.length + (CORRECTED_SECONDS + 1) * SAMPLE_RATE);
    padded.set(samples);
    seconds += padded.length / SAMPLE_RATE;
    for (let at = 0; at < padded.length; at += CHUNK_SAMPLES) {
      diarizer.append(padded.slice(at, at + CHUNK_SAMPLES));
      for (let step = await diarizer.step(); step; step = await diarizer.step()) {
        for (const { from, into } of step.joined) joins.set(from, into);
        for (const { lag, spans } of views) {
          const [from, to] = [step.endSeconds - lag - STEP_SECONDS, step.endSeconds - lag];
          for (const { start, end, speaker } of diarizer.turns) {
            if (end > from && start < to) spans.push({ start: Math.max(start, from), end: Math.min(end, to), speaker });
          }
        }
        const { words: revised, same } = live.revise(diarizer.turns, step.endSeconds, step.joined);
        for (const { id, speaker } of revised) (last[Number(id)] as SpokenWord).speaker = speaker;
        for (const { from, into } of same) for (const word of last) if (word.speaker === from) word.speaker = into;
      }
      const now = (at + CHUNK_SAMPLES) / SAMPLE_RATE;
      const due = waiting.filter(({ end }) => end + FINAL_SECONDS <= now);
      waiting = waiting.slice(due.length);
      const speakers = live.assign(
        due.map(({ start, end }, index) => ({ id: String(first.length + index), start, end })),
        diarizer.turns,
      );
      for (const [index, word] of due.entries()) {
        first.push({ ...word, speaker: speakers[index] ?? -1 });
        last.push({ ...word, speaker: speakers[index] ?? -1 });
      }
    }
    const joined = (speaker: SpeakerSpan["speaker"]): SpeakerSpan["speaker"] => {
      const into = joins.get(speaker);
      return into === undefined ? speaker : joined(into);
    };
    found.early.push(views[0]?.spans ?? []);
    found.corrected.push((views[1]?.spans ?? []).map((span) => ({ ...span, speaker: joined(span.speaker) })));
    found.wordsWithFinal.push(first);
    found.wordsCorrected.push(last);
  }
  const { user, system } = process.cpuUsage(before);
  found.corePercent = (user + system) / 1e4 / seconds;
  await loaded.close();
  return found;
}
