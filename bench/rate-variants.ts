// Recordings as they sound with another voice, line or room, and read at another sampling rate than theirs.
import { resampled } from "../src/speech/audio/resample.ts";
import { faster, inRoom, type Recording, SAMPLE_RATE, throughTelephone, withSound } from "./recordings.ts";

/** The first seconds of a recording are used. */
const USED_SECONDS = 9;
/** Convolution takes long. */
const ROOM_SECONDS = 5;

/** @returns what a session decodes to 16 kHz from samples of one rate that it reads at another */
export const misread = (samples: Float32Array, rate: number, declared: number): Float32Array =>
  resampled(resampled(samples, SAMPLE_RATE, rate), declared, SAMPLE_RATE);

/** A voice of another size at the same pace: pitch and formants are higher by this factor. */
const otherVoice = (samples: Float32Array, factor: number) =>
  faster(resampled(samples, Math.round(SAMPLE_RATE * factor), SAMPLE_RATE), 1 / factor);

export interface Sounds {
  noises: readonly Float32Array[];
  rooms: readonly Float32Array[];
}

export type RateVariant = readonly [name: string, samples: Float32Array];

/** @param at  number of the recording, which chooses noise and room */
export function rateVariants({ samples: all }: Recording, at: number, { noises, rooms }: Sounds): RateVariant[] {
  const samples = all.subarray(0, USED_SECONDS * SAMPLE_RATE);
  const noise = noises[at % noises.length] as Float32Array;
  return [
    ["as recorded", samples],
    ["telephone", throughTelephone(samples)],
    ["8 kHz, resampled", resampled(resampled(samples, SAMPLE_RATE, 8_000), 8_000, SAMPLE_RATE)],
    ["child", otherVoice(samples, 1.3)],
    ["deep voice", otherVoice(samples, 0.87)],
    ["room", inRoom(samples.subarray(0, ROOM_SECONDS * SAMPLE_RATE), rooms[at % rooms.length] as Float32Array)],
    ["noise", withSound(samples, noise, 8 + (at % 3) * 4, at * SAMPLE_RATE)],
  ];
}
