// Audio of a microphone, a browser tab or a file, as 16-bit samples in real time.

import { t } from "../language/language.ts";
import workletAddress from "./capture-worklet.js?url";
import { openMicrophone } from "./microphones.ts";
import { stopTracks } from "./stop-tracks.ts";

/** `lost` is the name of a disconnected microphone that another one replaces. */
export type Source = { kind: "microphone"; lost?: string } | { kind: "tab" } | { kind: "file"; file: File };

export interface Capture {
  source: Source;
  sampleRate: number;
  /** The source stays open, so that no permission is requested again, but gives no audio. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): void;
}

export interface CaptureEvents {
  /** @param samples  16-bit @param level  root mean square, 0 to 1 */
  onSamples(samples: Int16Array, level: number): void;
  /** The file has ended, or the tab is no longer shared. */
  onEnd(): void;
  /** The microphone was disconnected. @param name  of the microphone */
  onLost(name: string): void;
}

/** @throws Error with this message, in place of the browser's own one */
async function saying<Value>(message: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch {
    throw new Error(message);
  }
}

/** Sample rates that the interface accepts, in order of preference. */
const RATES = [16_000, 48_000, 44_100, 32_000, 8_000];

/** @param sampleRate  of a session that has begun; undefined for any that the interface accepts */
async function openContext(stream: MediaStream | undefined, sampleRate?: number): Promise<AudioContext> {
  const attempts = sampleRate === undefined ? [{ sampleRate: RATES[0] as number }, {}] : [{ sampleRate }];
  for (const options of attempts) {
    let context: AudioContext | undefined;
    try {
      context = new AudioContext(options);
      // Some browsers do not connect a microphone to a context with another sample rate.
      if (stream) context.createMediaStreamSource(stream).disconnect();
      if (RATES.includes(context.sampleRate)) return context;
    } catch {
      // The next attempt uses the device's sample rate.
    }
    await context?.close();
  }
  throw new Error(sampleRate === undefined ? t.live.sampleRate : t.live.otherSampleRate);
}

async function openStream(source: Source): Promise<MediaStream | undefined> {
  if (source.kind === "file") return undefined;
  const { mediaDevices } = navigator;
  if (source.kind === "tab") {
    const stream = await saying(t.live.notShared, () => mediaDevices.getDisplayMedia({ video: true, audio: true }));
    if (stream.getAudioTracks().length > 0) return stream;
    stopTracks(stream);
    throw new Error(t.live.silentTab);
  }
  return saying(t.problems.microphone, () =>
    openMicrophone({ echoCancellation: false, noiseSuppression: false }, source.lost),
  );
}

/** Resources of a capture. They are closed when it ends, or cannot start. */
interface Opened {
  stream?: MediaStream | undefined;
  context?: AudioContext;
  element?: HTMLAudioElement;
  node?: AudioWorkletNode;
  /** Chromium may collect an input without a reference while the context is suspended; the context then gets no audio after the pause. */
  input?: AudioNode;
  isPaused?: boolean;
}

function close({ stream, context, element, node }: Opened): void {
  // Audio of a replaced source would follow the first audio of the next one.
  if (node) node.port.onmessage = null;
  element?.pause();
  if (element) URL.revokeObjectURL(element.src);
  stopTracks(stream);
  if (context && context.state !== "closed") void context.close();
}

function enableTracks(stream: MediaStream | undefined, isEnabled: boolean): void {
  for (const track of stream?.getTracks() ?? []) track.enabled = isEnabled;
}

async function pause(opened: Opened): Promise<void> {
  const { stream, context, element } = opened;
  opened.isPaused = true;
  element?.pause();
  await context?.suspend();
  // `resume` may have been called during the wait.
  if (opened.isPaused) enableTracks(stream, false);
}

async function resume(opened: Opened): Promise<void> {
  const { stream, context, element } = opened;
  opened.isPaused = false;
  enableTracks(stream, true);
  await saying(t.live.cannotCapture, async () => context?.resume());
  await saying(t.live.cannotPlay, async () => element?.play());
}

/** Calls `onSamples` with what the returned node receives. */
async function openNode(context: AudioContext, onSamples: CaptureEvents["onSamples"]): Promise<AudioWorkletNode> {
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
  return node;
}

/** @param sampleRate  see openContext @throws Error with a message that states what to do; then nothing is captured */
export async function capture(
  source: Source,
  { onSamples, onEnd, onLost }: CaptureEvents,
  sampleRate?: number,
): Promise<Capture> {
  const opened: Opened = {};
  try {
    const stream = await openStream(source);
    opened.stream = stream;
    const context = await openContext(stream, sampleRate);
    opened.context = context;
    const node = await saying(t.live.cannotCapture, () => openNode(context, onSamples));
    opened.node = node;
    if (source.kind === "file") {
      const element = new Audio(URL.createObjectURL(source.file));
      opened.element = element;
      element.addEventListener("ended", onEnd);
      opened.input = context.createMediaElementSource(element);
      opened.input.connect(node);
      opened.input.connect(context.destination);
      await saying(t.live.cannotPlay, () => element.play());
    } else if (stream) {
      opened.input = context.createMediaStreamSource(stream);
      opened.input.connect(node);
      const [track] = stream.getAudioTracks();
      track?.addEventListener("ended", () => (source.kind === "microphone" ? onLost(track.label) : onEnd()));
    }
    await saying(t.live.cannotCapture, () => context.resume());
    return {
      source,
      sampleRate: context.sampleRate,
      pause: () => pause(opened),
      resume: () => resume(opened),
      stop: () => close(opened),
    };
  } catch (error) {
    close(opened);
    throw error;
  }
}
