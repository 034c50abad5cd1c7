// Records from the microphone into a file.
import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../language/language.ts";
import { MicrophoneSelect } from "../live/microphone-select.tsx";
import { openMicrophone } from "../live/microphones.ts";
import { stopTracks } from "../live/stop-tracks.ts";
import { beginRecording, leaveRecorder, recording } from "../microphone-recording.ts";
import { notice } from "../parts/notices.tsx";
import { clock } from "../time.ts";

const recorders = signal(0);
/** Whether the page has a recorder, which shows the button that ends a recording. */
export const hasRecorder = (): boolean => recorders.value > 0;

/** The time of the recording, and the button that ends it; nothing while nothing is recorded. */
export function StopRecording() {
  const { value: running } = recording;
  return running ? (
    <button type="button" class="recording" onClick={() => void running.stop()}>
      <span class="dot" aria-hidden="true" /> {t.transcribe.stopRecording(clock(running.seconds.value))}
    </button>
  ) : null;
}

/** @param onRecording  called when a recording begins and when it ends */
export function Recorder({ onRecording }: { onRecording?(isOn: boolean): void }) {
  const isStarting = useSignal(false);
  const isShown = useRef(true);
  const isOn = isStarting.value || recording.value !== undefined;
  useEffect(() => onRecording?.(isOn), [isOn]);
  useEffect(() => {
    recorders.value++;
    return () => {
      recorders.value--;
      isShown.current = false;
      leaveRecorder();
    };
  }, []);

  const start = async () => {
    if (isStarting.peek()) return;
    isStarting.value = true;
    let stream: MediaStream | undefined;
    try {
      stream = await openMicrophone();
      if (isShown.current) beginRecording(stream);
      else stopTracks(stream);
    } catch {
      stopTracks(stream);
      notice(t.problems.microphone, "bad");
    } finally {
      isStarting.value = false;
    }
  };

  return recording.value ? (
    <StopRecording />
  ) : (
    <>
      <button type="button" onClick={start} disabled={isStarting.value}>
        {t.transcribe.record}
      </button>
      <MicrophoneSelect />
    </>
  );
}
