// Records from the microphone into a file.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { notice } from "../parts/notices.tsx";
import { addFiles } from "../tasks.ts";
import { clock } from "../time.ts";
import { keepRecording } from "../unsent.ts";

const EXTENSIONS: Record<string, string> = { "audio/webm": "webm", "audio/mp4": "m4a", "audio/ogg": "ogg" };

export function Recorder() {
  const seconds = useSignal<number | undefined>(undefined);
  const recorder = useRef<MediaRecorder | undefined>(undefined);
  useEffect(
    () => () => {
      // Stopping it sends what was recorded.
      if (recorder.current?.state === "recording") recorder.current.stop();
    },
    [],
  );

  const start = async () => {
    let stream: MediaStream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    } catch {
      notice(
        "The microphone cannot be used. Allow it for this page; browsers allow it only over https and on this machine.",
        "bad",
      );
      return;
    }
    const chunks: Blob[] = [];
    const made = new MediaRecorder(stream);
    recorder.current = made;
    const type = made.mimeType.split(";")[0] || "audio/webm";
    const name = `Recording ${new Date().toLocaleString().replaceAll(/[/:,]/g, "-")}.${EXTENSIONS[type] ?? "webm"}`;
    const kept = keepRecording(name);
    made.ondataavailable = ({ data }) => {
      chunks.push(data);
      kept.add(data);
    };
    const began = performance.now();
    const timer = setInterval(() => {
      seconds.value = (performance.now() - began) / 1000;
    }, 250);
    made.onstop = () => {
      clearInterval(timer);
      for (const track of stream.getTracks()) track.stop();
      seconds.value = undefined;
      void addFiles([new File(chunks, name, { type })]).then(kept.remove);
    };
    seconds.value = 0;
    made.start(1000);
  };

  return seconds.value === undefined ? (
    <button type="button" onClick={start}>
      Record
    </button>
  ) : (
    <button type="button" class="recording" onClick={() => recorder.current?.stop()}>
      <span class="dot" aria-hidden="true" /> Stop at {clock(seconds.value)}
    </button>
  );
}
