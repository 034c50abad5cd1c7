// Prints the library of voices, and cleans the names of people.
import type { VoiceExport, Voice as WireVoice } from "../../contract/voices.ts";
import type { Voice } from "../../service/voices/library.ts";

/** Names appear in terminals and documents: control characters and marks that turn the direction of text are removed. */
const UNPRINTABLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;
export const cleanName = (name: string) => name.replace(UNPRINTABLE, " ").replace(/\s+/g, " ").trim();

const shownSeconds = (seconds: number) => Math.round(seconds * 10) / 10;

export const voiceBody = ({ id, name, createdAt, samples }: Voice): WireVoice => ({
  id,
  name,
  created_at: createdAt.toISOString(),
  samples: samples.map((sample) => ({
    id: sample.id,
    created_at: sample.createdAt.toISOString(),
    seconds: shownSeconds(sample.seconds),
    model: sample.model,
  })),
});

export const voiceExport = ({ id, name, createdAt, samples }: Voice): VoiceExport["items"][number] => ({
  id,
  name,
  created_at: createdAt.toISOString(),
  samples: samples.map((sample) => ({
    created_at: sample.createdAt.toISOString(),
    seconds: shownSeconds(sample.seconds),
    model: sample.model,
    print: [...sample.print],
  })),
});
