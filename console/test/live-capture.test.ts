// The audio of a live session without a browser: pauses, and the choice of a microphone.
import { expect, test, vi } from "vitest";

class Track {
  enabled = true;
  isOpen = true;
  constructor(readonly label: string) {}
  stop(): void {
    this.isOpen = false;
  }
  addEventListener(): void {}
  getSettings = () => ({ deviceId: this.label });
}

const tracks: Track[] = [];
let suspended = Promise.resolve();
let permitted = Promise.resolve();

const mediaDevices = {
  enumerateDevices: async () => ["a", "b"].map((label) => ({ kind: "audioinput", label, deviceId: label })),
  async getUserMedia({ audio }: { audio: { deviceId?: { exact: string } } }) {
    await permitted;
    const track = new Track(audio.deviceId?.exact ?? "default");
    tracks.push(track);
    return { getTracks: () => [track], getAudioTracks: () => [track] };
  },
};

class AudioPart {
  readonly gain = {};
  readonly port = {};
  connect<Other>(other: Other): Other {
    return other;
  }
  disconnect(): void {}
}

class Context {
  readonly sampleRate = 16_000;
  readonly audioWorklet = { addModule: async () => undefined };
  readonly createGain = () => new AudioPart();
  readonly createMediaStreamSource = () => new AudioPart();
  readonly suspend = () => suspended;
  async resume() {}
  async close() {}
}

vi.stubGlobal("document", { querySelector: () => null });
vi.stubGlobal("location", new URL("http://host/"));
vi.stubGlobal("addEventListener", () => undefined);
vi.stubGlobal("navigator", { mediaDevices });
vi.stubGlobal("AudioContext", Context);
vi.stubGlobal("AudioWorkletNode", AudioPart);
const { showLanguage } = await import("../src/language/language.ts");
const { capture } = await import("../src/live/capture.ts");
const { LiveRecording } = await import("../src/live/live-recording.ts");
const { chooseMicrophone, microphones } = await import("../src/live/microphones.ts");
await showLanguage("en");

/** @returns a promise, and what resolves it */
function gate(): [Promise<void>, () => void] {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return [promise, open];
}

test("a pause that ends at once records no silence", async () => {
  const nothing = () => undefined;
  const captured = await capture({ kind: "microphone" }, { onSamples: nothing, onEnd: nothing, onLost: nothing });
  const [promise, resolve] = gate();
  suspended = promise;
  const pausing = captured.pause();
  await captured.resume();
  resolve();
  await pausing;
  expect(tracks.at(-1)?.enabled).toBe(true);
  captured.stop();
});

test("of microphones that are chosen quickly, the last one is used", async () => {
  const recording = new LiveRecording();
  recording.running.value = { session: { sendAudio: () => undefined } as never, capture: undefined };
  await recording.listen({ kind: "microphone" });
  await expect.poll(() => microphones.value.length).toBe(2);
  const used = () => tracks.filter(({ isOpen }) => isOpen).map(({ label }) => label);
  expect(used()).toEqual(["default"]);
  const [promise, resolve] = gate();
  permitted = promise;
  for (const id of ["a", "b"]) {
    chooseMicrophone(id);
    recording.changeMicrophone();
  }
  resolve();
  await expect.poll(used).toEqual(["b"]);
});
