// The recording: waveform, audio and position. The audio is streamed; the service computes the waveform,
// since a browser would have to hold an hour of samples for it.
import { signal } from "@preact/signals";
import WaveSurfer from "wavesurfer.js";
import { at } from "../address.ts";
import { get } from "../api.ts";
import { t } from "../language/language.ts";
import type { Peaks } from "../shapes.ts";

/** 0.5 to 3 in steps of 0.1. */
const SPEEDS = Array.from({ length: 26 }, (_, step) => (5 + step) / 10);
const BACK_SECONDS = 3;

async function drawWave(
  container: HTMLElement,
  media: HTMLMediaElement,
  path: string,
  time: () => number,
): Promise<() => void> {
  const { peaks, duration } = await get<Peaks>(`${path}/peaks`);
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
  const surfer = WaveSurfer.create({
    container,
    media,
    peaks: [peaks],
    duration,
    height: 56,
    barWidth: 2,
    barGap: 1,
    barRadius: 1,
    normalize: true,
    cursorWidth: 2,
    waveColor: colour("--wave"),
    progressColor: colour("--accent"),
    cursorColor: colour("--accent"),
    ...(nonce ? { cspNonce: nonce } : {}),
  });
  surfer.once("ready", () => surfer.setTime(time()));
  return () => surfer.destroy();
}

export function createPlayer(path: string) {
  // A video element also plays recordings without a picture.
  const audio = document.createElement("video");
  audio.playsInline = true;
  audio.preload = "metadata";
  audio.src = at(`${path}/file`);
  const time = signal(0);
  const isPlaying = signal(false);
  const speed = signal(1);
  const problem = signal("");
  /** Undefined until the file is opened. */
  const hasPicture = signal<boolean | undefined>(undefined);
  let frame = 0;
  let until = Number.POSITIVE_INFINITY;

  const follow = () => {
    time.value = audio.currentTime;
    if (time.value >= until) audio.pause();
    frame = requestAnimationFrame(follow);
  };
  audio.addEventListener("play", () => {
    isPlaying.value = true;
    cancelAnimationFrame(frame);
    follow();
  });
  audio.addEventListener("pause", () => {
    isPlaying.value = false;
    cancelAnimationFrame(frame);
    until = Number.POSITIVE_INFINITY;
  });
  audio.addEventListener("seeked", () => {
    time.value = audio.currentTime;
  });
  audio.addEventListener("loadedmetadata", () => {
    hasPicture.value = audio.videoWidth > 0;
  });
  audio.addEventListener("error", () => {
    problem.value = t.transcript.cannotPlay;
  });

  const seek = (seconds: number, thenPlay = false) => {
    until = Number.POSITIVE_INFINITY;
    audio.currentTime = Math.max(0, seconds);
    time.value = audio.currentTime;
    if (thenPlay) void audio.play().catch(() => undefined);
  };
  const setSpeed = (value: number) => {
    speed.value = value;
    audio.playbackRate = value;
  };

  return {
    time,
    isPlaying,
    speed,
    problem,
    hasPicture,
    /** Shows the picture where it is placed. */
    media: audio,
    speeds: SPEEDS,
    seek,
    setSpeed,
    /** Plays a stretch and pauses. */
    playStretch(from: number, to: number) {
      seek(from, true);
      until = to;
    },
    toggle() {
      if (audio.paused) void audio.play().catch(() => undefined);
      else audio.pause();
    },
    back: () => seek(audio.currentTime - BACK_SECONDS),
    ahead: () => seek(audio.currentTime + BACK_SECONDS),
    faster: () => setSpeed(SPEEDS.find((value) => value > speed.value) ?? speed.value),
    slower: () => setSpeed(SPEEDS.findLast((value) => value < speed.value) ?? speed.value),
    /** Draws the waveform. @returns a function that releases it */
    draw: (container: HTMLElement) => drawWave(container, audio, path, () => time.peek()),
    end() {
      cancelAnimationFrame(frame);
      audio.pause();
      audio.removeAttribute("src");
      audio.load();
    },
  };
}

export type Player = ReturnType<typeof createPlayer>;
