// The recording from the microphone of this page. It belongs to the account that began it, and continues while the sign-in has ended.
import { effect, type Signal, signal } from "@preact/signals";
import { accountName, shownAccountName } from "./account.ts";
import { formats, t } from "./language/language.ts";
import { beforeLeaving } from "./leaving.ts";
import { stopTracks } from "./live/stop-tracks.ts";
import { keepRecording } from "./unsent.ts";

const EXTENSIONS: Record<string, string> = { "audio/webm": "webm", "audio/mp4": "m4a", "audio/ogg": "ogg" };
const PIECE_MILLISECONDS = 1_000;
const SHOWN_MILLISECONDS = 250;

export interface MicrophoneRecording {
  owner: string | undefined;
  seconds: Signal<number>;
  /** @returns resolves when the recording is a task */
  stop(): Promise<void>;
}

export const recording = signal<MicrophoneRecording | undefined>(undefined);

export function beginRecording(stream: MediaStream): void {
  const recorder = new MediaRecorder(stream);
  const type = recorder.mimeType.split(";")[0] || "audio/webm";
  const moment = formats.moment(new Date()).replaceAll(/[/:,\u200e\u200f]/g, "-");
  const name = `${t.names.recorded(moment)}.${EXTENSIONS[type] ?? "webm"}`;
  const kept = keepRecording(name);
  const pieces: Blob[] = [];
  recorder.ondataavailable = ({ data }) => {
    if (data.size === 0) return;
    pieces.push(data);
    kept.add(data);
  };
  recorder.start(PIECE_MILLISECONDS);
  const began = performance.now();
  const seconds = signal(0);
  const timer = setInterval(() => {
    seconds.value = (performance.now() - began) / 1000;
  }, SHOWN_MILLISECONDS);
  const ended = new Promise<void>((resolve) => {
    recorder.onstop = () => {
      clearInterval(timer);
      stopTracks(stream);
      stopWaiting();
      recording.value = undefined;
      resolve(kept.finish(new File(pieces, name, { type })));
    };
  });
  const stop = () => {
    if (recorder.state !== "inactive") recorder.stop();
    return ended;
  };
  const stopWaiting = beforeLeaving(stop);
  recording.value = { owner: accountName(), seconds, stop };
}

/** The page with the recorder is left. The sign-in page, which replaces every page, does not end the recording. */
export function leaveRecorder(): void {
  if (accountName() !== undefined) void recording.peek()?.stop();
}

// Another account has signed in.
effect(() => {
  const { value: name } = shownAccountName;
  const running = recording.peek();
  if (running && name !== undefined && name !== running.owner) void running.stop();
});
