// Audio without speech: every transcribed word is an invented one.
import { noise, silence } from "../test/fixtures/recordings.ts";
import { SAMPLE_RATE, withNoise } from "./recordings.ts";

/** Slow chords with a beat, without voices. */
function music(seconds: number): Float32Array {
  const roots = [220, 174.61, 261.63, 196];
  return silence(seconds).map((_, at) => {
    const time = at / SAMPLE_RATE;
    const root = roots[Math.floor(time / 2) % roots.length] as number;
    const chord = [1, 1.25, 1.5].reduce((sum, ratio) => sum + Math.sin(2 * Math.PI * root * ratio * time), 0);
    const beat = Math.exp(-12 * (time % 0.5)) * Math.sin(2 * Math.PI * 60 * time);
    return 0.1 * chord + 0.3 * beat;
  });
}

export function soundsWithoutSpeech(seconds: number): [name: string, samples: Float32Array][] {
  return [
    ["silence", silence(seconds)],
    ["white noise", noise(seconds, 0.1)],
    ["kitchen noise", withNoise(noise(seconds, 0.02), -10)],
    ["music", music(seconds)],
  ];
}
