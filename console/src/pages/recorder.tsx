// Records from the microphone into a file.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formats, t } from "../language/language.ts";
import { beforeLeaving } from "../leaving.ts";
import { MicrophoneSelect } from "../live/microphone-select.tsx";
import { openMicrophone } from "../live/microphones.ts";
import { stopTracks } from "../live/stop-tracks.ts";
import { notice } from "../parts/notices.tsx";
import { clock } from "../time.ts";
import { keepRecording } from "../unsent.ts";

const EXTENSIONS: Record<string, string> = { "audio/webm": "webm", "audio/mp4": "m4a", "audio/ogg": "ogg" };

interface RunningRecording {
  /** @returns resolves when the recording is a task */
  stop(): Promise<void>;
}

function record(stream: MediaStream, onSeconds: (seconds: number | undefined) => void): RunningRecording {
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
  recorder.start(1000);
  const began = performance.now();
  const timer = setInterval(() => onSeconds((performance.now() - began) / 1000), 250);
  const ended = new Promise<void>((resolve) => {
    recorder.onstop = () => {
      clearInterval(timer);
      stopTracks(stream);
      onSeconds(undefined);
      resolve(kept.finish(new File(pieces, name, { type })));
    };
  });
  onSeconds(0);
  return {
    stop() {
      if (recorder.state !== "inactive") recorder.stop();
      return ended;
    },
  };
}

/** @param onRecording  called when a recording begins and when it ends */
export function Recorder({ onRecording }: { onRecording?(isOn: boolean): void }) {
  const seconds = useSignal<number | undefined>(undefined);
  const isStarting = useSignal(false);
  const running = useRef<RunningRecording | undefined>(undefined);
  const isShown = useRef(true);
  useEffect(() => {
    const stop = async () => running.current?.stop();
    const stopWaiting = beforeLeaving(stop);
    return () => {
      isShown.current = false;
      stopWaiting();
      void stop();
    };
  }, []);

  const start = async () => {
    if (isStarting.peek()) return;
    isStarting.value = true;
    onRecording?.(true);
    let stream: MediaStream | undefined;
    try {
      stream = await openMicrophone();
      if (isShown.current) {
        running.current = record(stream, (now) => {
          seconds.value = now;
          if (now === undefined) onRecording?.(false);
        });
      } else stopTracks(stream);
    } catch {
      stopTracks(stream);
      onRecording?.(false);
      notice(t.problems.microphone, "bad");
    } finally {
      isStarting.value = false;
    }
  };

  return seconds.value === undefined ? (
    <>
      <button type="button" onClick={start} disabled={isStarting.value}>
        {t.transcribe.record}
      </button>
      <MicrophoneSelect />
    </>
  ) : (
    <button type="button" class="recording" onClick={() => void running.current?.stop()}>
      <span class="dot" aria-hidden="true" /> {t.transcribe.stopRecording(clock(seconds.value))}
    </button>
  );
}
