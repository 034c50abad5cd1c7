// The recording: waveform, audio and position. The audio is streamed; the service computes the waveform,
// since a browser would have to hold an hour of samples for it.
import { type Signal, signal } from "@preact/signals";
import WaveSurfer from "wavesurfer.js";
import { at } from "../address.ts";
import { get } from "../api.ts";
import { t } from "../language/language.ts";
import type { Peaks } from "../shapes.ts";
import { storedSignal } from "../stored-signal.ts";

/** 0.5 to 3 in steps of 0.1. */
const SPEEDS = Array.from({ length: 26 }, (_, step) => (5 + step) / 10);
const WAVE_PIXELS = 44;
/** On a phone, the player stays in sight: it is lower. */
const NARROW = "(width < 800px)";
const NARROW_WAVE_PIXELS = 32;
const BACK_SECONDS = 3;
/** Of the buttons. */
export const STEP_SECONDS = 5;
/** A pause often cuts a word. When the playback resumes, the last second is repeated, so that the word is played whole. */
const RESUME_SECONDS = 1;
/** Two positions of a file that differ by less are the same. */
const SAME_PLACE_SECONDS = 0.05;

async function drawWave(
  container: HTMLElement,
  media: HTMLMediaElement,
  path: string,
  time: () => number,
  onClick: (seconds: number) => void,
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
    height: matchMedia(NARROW).matches ? NARROW_WAVE_PIXELS : WAVE_PIXELS,
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
  surfer.on("interaction", onClick);
  surfer.once("ready", () => surfer.setTime(time()));
  return () => surfer.destroy();
}

interface Recovered {
  time: Signal<number>;
  speed: Signal<number>;
  problem: Signal<string>;
  onFailure(): void;
}

/** Whether the service sends the file: a browser reports one that it cannot load and one that it cannot play in the same way. */
const isSent = (audio: HTMLMediaElement): Promise<boolean> =>
  fetch(audio.src, { method: "HEAD" }).then(
    ({ ok }) => ok,
    () => false,
  );

/** After a failure, such as one of the network, loads the file again and continues where the playback was. */
function recoveryOf(audio: HTMLMediaElement, { time, speed, problem, onFailure }: Recovered) {
  let isNeeded = false;
  let wasOpened = false;
  /** Whether the service answered between two failures: the file itself is the reason. */
  let wasAnswered = false;
  audio.addEventListener("error", () => {
    isNeeded = true;
    onFailure();
    problem.value = t.transcript.cannotLoad;
    if (wasOpened || audio.error?.code === MediaError.MEDIA_ERR_NETWORK) return;
    void isSent(audio).then((isThere) => {
      if (!isThere || wasOpened) return;
      if (!wasAnswered) {
        // The network may have returned since.
        wasAnswered = true;
        return audio.load();
      }
      isNeeded = false;
      problem.value = t.transcript.cannotPlay;
    });
  });
  audio.addEventListener("loadedmetadata", () => {
    wasOpened = true;
    if (!isNeeded) return;
    isNeeded = false;
    problem.value = "";
    audio.currentTime = time.value;
    audio.playbackRate = speed.value;
  });
  return {
    /** Until the file is open again. */
    get isNeeded() {
      return isNeeded;
    },
    loadAgain() {
      if (isNeeded && audio.error) audio.load();
    },
  };
}

function mediaOf(path: string): HTMLVideoElement {
  // A video element also plays recordings without a picture.
  const audio = document.createElement("video");
  audio.playsInline = true;
  audio.preload = "metadata";
  audio.src = at(`${path}/file`);
  return audio;
}

function speedsOf(audio: HTMLMediaElement) {
  const speed = storedSignal("speed", 1, (value) => SPEEDS.includes(value));
  const setSpeed = (value: number) => {
    speed.value = value;
    // Browsers set the speed to the default when they load a file.
    audio.defaultPlaybackRate = value;
    audio.playbackRate = value;
  };
  setSpeed(speed.value);
  return {
    speed,
    speeds: SPEEDS,
    setSpeed,
    faster: () => setSpeed(SPEEDS.find((value) => value > speed.value) ?? speed.value),
    slower: () => setSpeed(SPEEDS.findLast((value) => value < speed.value) ?? speed.value),
  };
}

function pauseOf(audio: HTMLMediaElement) {
  /** Where the playback was paused. */
  let place: number | undefined;
  return {
    begin() {
      audio.pause();
      place = audio.currentTime;
    },
    /** Before the playback resumes where it was paused. */
    rewind() {
      const { currentTime } = audio;
      const isThere = place !== undefined && Math.abs(currentTime - place) < SAME_PLACE_SECONDS;
      if (isThere) audio.currentTime = Math.max(0, currentTime - RESUME_SECONDS);
      place = undefined;
    },
  };
}

export function createPlayer(path: string) {
  const audio = mediaOf(path);
  const time = signal(0);
  const isPlaying = signal(false);
  const speeds = speedsOf(audio);
  const { speed } = speeds;
  const problem = signal("");
  /** Undefined until the file is opened. */
  const hasPicture = signal<boolean | undefined>(undefined);
  let frame = 0;
  let until = Number.POSITIVE_INFINITY;
  const onFailure = () => {
    isPlaying.value = false;
    cancelAnimationFrame(frame);
  };
  const recovery = recoveryOf(audio, { time, speed, problem, onFailure });

  const follow = () => {
    if (!recovery.isNeeded) time.value = audio.currentTime;
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
    if (recovery.isNeeded) return;
    time.value = audio.currentTime;
  });
  audio.addEventListener("loadedmetadata", () => {
    hasPicture.value = audio.videoWidth > 0;
  });

  // The error of a refused playback is also an event.
  const play = () => void audio.play().catch(() => undefined);
  const seek = (seconds: number, thenPlay = false) => {
    until = Number.POSITIVE_INFINITY;
    const place = Math.max(0, seconds);
    if (recovery.isNeeded) time.value = place;
    else {
      audio.currentTime = place;
      time.value = audio.currentTime;
    }
    recovery.loadAgain();
    if (thenPlay) play();
  };
  const pause = pauseOf(audio);
  const now = () => (recovery.isNeeded ? time.value : audio.currentTime);

  return {
    time,
    isPlaying,
    ...speeds,
    problem,
    hasPicture,
    /** Shows the picture where it is placed. */
    media: audio,
    seek,
    /** Plays a stretch and pauses. */
    playStretch(from: number, to: number) {
      seek(from, true);
      until = to;
    },
    toggle() {
      // A failed playback is not paused.
      if (!audio.paused && !recovery.isNeeded) return pause.begin();
      if (!recovery.isNeeded) pause.rewind();
      recovery.loadAgain();
      play();
    },
    back: () => seek(now() - BACK_SECONDS),
    ahead: () => seek(now() + BACK_SECONDS),
    /** @param seconds  negative: back */
    move: (seconds: number) => seek(now() + seconds),
    /** Draws the waveform. @returns a function that releases it */
    draw: (container: HTMLElement) =>
      drawWave(
        container,
        audio,
        path,
        () => time.peek(),
        (seconds) => {
          if (recovery.isNeeded) seek(seconds);
        },
      ),
    end() {
      cancelAnimationFrame(frame);
      audio.pause();
      audio.removeAttribute("src");
      audio.load();
    },
  };
}

export type Player = ReturnType<typeof createPlayer>;
