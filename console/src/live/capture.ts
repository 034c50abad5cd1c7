// Audio of a microphone, a browser tab or a file, as 16-bit samples in real time.

import { t } from "../language/language.ts";
import workletAddress from "./capture-worklet.js?url";

export type Source = { kind: "microphone"; device?: string } | { kind: "tab" } | { kind: "file"; file: File };

export interface Capture {
  sampleRate: number;
  stop(): void;
}

export interface CaptureEvents {
  /** @param samples  16-bit @param level  root mean square, 0 to 1 */
  onSamples(samples: Int16Array, level: number): void;
  /** The file has ended, or the tab is no longer shared. */
  onEnd(): void;
}

/** Sample rates that the interface accepts, in order of preference. */
const RATES = [16_000, 48_000, 44_100, 32_000, 8_000];

/** @param sampleRate  of a session that has begun; undefined for any that the interface accepts */
async function openContext(stream: MediaStream | undefined, sampleRate?: number): Promise<AudioContext> {
  const attempts = sampleRate === undefined ? [{ sampleRate: RATES[0] as number }, {}] : [{ sampleRate }];
  for (const options of attempts) {
    const context = new AudioContext(options);
    try {
      // Some browsers do not connect a microphone to a context with another sample rate.
      if (stream) context.createMediaStreamSource(stream).disconnect();
      if (RATES.includes(context.sampleRate)) return context;
    } catch {
      // The next attempt uses the device's sample rate.
    }
    await context.close();
  }
  throw new Error(sampleRate === undefined ? t.live.sampleRate : t.live.otherSampleRate);
}

async function openStream(source: Source): Promise<MediaStream | undefined> {
  if (source.kind === "file") return undefined;
  if (source.kind === "tab") {
    const stream = await navigator.mediaDevices.getDisplayMedia({ video: true, audio: true });
    if (stream.getAudioTracks().length > 0) return stream;
    for (const track of stream.getTracks()) track.stop();
    throw new Error(t.live.silentTab);
  }
  try {
    const { device } = source;
    return await navigator.mediaDevices.getUserMedia({
      audio: { ...(device ? { deviceId: device } : {}), echoCancellation: false, noiseSuppression: false },
    });
  } catch {
    throw new Error(t.problems.microphone);
  }
}

/** @param sampleRate  see openContext @throws Error with a message that states what to do */
export async function capture(
  source: Source,
  { onSamples, onEnd }: CaptureEvents,
  sampleRate?: number,
): Promise<Capture> {
  const stream = await openStream(source);
  const context = await openContext(stream, sampleRate);
  await context.audioWorklet.addModule(workletAddress);
  const node = new AudioWorkletNode(context, "capture", { numberOfOutputs: 1 });
  // Some browsers do not run a node that is not connected to the destination: connect it through zero gain.
  const silence = context.createGain();
  silence.gain.value = 0;
  node.connect(silence).connect(context.destination);
  node.port.onmessage = ({ data }: MessageEvent<Float32Array>) => {
    let energy = 0;
    const samples = new Int16Array(data.length);
    for (const [index, value] of data.entries()) {
      energy += value * value;
      samples[index] = Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768)));
    }
    onSamples(samples, Math.sqrt(energy / data.length));
  };
  let element: HTMLAudioElement | undefined;
  if (source.kind === "file") {
    element = new Audio(URL.createObjectURL(source.file));
    element.addEventListener("ended", onEnd);
    const from = context.createMediaElementSource(element);
    from.connect(node);
    from.connect(context.destination);
    await element.play().catch(() => {
      throw new Error(t.live.cannotPlay);
    });
  } else if (stream) {
    context.createMediaStreamSource(stream).connect(node);
    stream.getAudioTracks()[0]?.addEventListener("ended", onEnd);
  }
  await context.resume();
  return {
    sampleRate: context.sampleRate,
    stop() {
      element?.pause();
      if (element) URL.revokeObjectURL(element.src);
      for (const track of stream?.getTracks() ?? []) track.stop();
      if (context.state !== "closed") void context.close();
    },
  };
}
