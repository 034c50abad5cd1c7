// Transcripts of the shared recordings, recognised and joined: the excerpts of meetings as one meeting, the readings as one reading, the
// orders as one conversation.
import type { Utterance } from "../src/contract/transcript/transcript.ts";
import { withModel } from "./conditions.ts";
import { loadRecordings, SAMPLE_RATE } from "./recordings.ts";

/** Prefixes of the files. */
const KINDS = { meetings: "meeting-", readings: "reading-", orders: "order-" } as const;
const PAUSE_SECONDS = 1;

export interface RealTranscript {
  name: keyof typeof KINDS;
  utterances: Utterance[];
  audioSeconds: number;
}

const shifted = (utterance: Utterance, seconds: number): Utterance => ({
  ...utterance,
  start: utterance.start + seconds,
  end: utterance.end + seconds,
  words: utterance.words.map((word) => ({ ...word, start: word.start + seconds, end: word.end + seconds })),
});

/** @throws Error if the shared recordings are missing */
export async function realTranscripts(): Promise<RealTranscript[]> {
  return withModel("moonshine-base-en", async (recognize) => {
    const found: RealTranscript[] = [];
    for (const [name, prefix] of Object.entries(KINDS)) {
      const utterances: Utterance[] = [];
      let audioSeconds = 0;
      for (const { samples } of await loadRecordings(({ file }) => file.startsWith(prefix))) {
        const { transcription } = await recognize(samples);
        const at = audioSeconds;
        utterances.push(...transcription.utterances.map((utterance) => shifted(utterance, at)));
        audioSeconds += samples.length / SAMPLE_RATE + PAUSE_SECONDS;
      }
      found.push({ name: name as keyof typeof KINDS, utterances, audioSeconds });
    }
    return found;
  });
}
