// A recording from the microphone without a browser: whose it is, and what ends it.
import { beforeEach, expect, test, vi } from "vitest";

class Recorder {
  state = "inactive";
  readonly mimeType = "audio/webm";
  ondataavailable: (event: { data: Blob }) => void = () => undefined;
  onstop: () => void = () => undefined;
  start(): void {
    this.state = "recording";
    this.ondataavailable({ data: new Blob(["voice"]) });
  }
  stop(): void {
    this.state = "inactive";
    this.onstop();
  }
}

vi.stubGlobal("document", { querySelector: () => null });
vi.stubGlobal("location", new URL("http://host/"));
vi.stubGlobal("addEventListener", () => undefined);
vi.stubGlobal("navigator", {});
vi.stubGlobal("MediaRecorder", Recorder);
vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
const { account } = await import("../src/account.ts");
const { showLanguage } = await import("../src/language/language.ts");
const { beginRecording, leaveRecorder, recording } = await import("../src/microphone-recording.ts");
const { tasks } = await import("../src/tasks.ts");
await showLanguage("en");

const signIn = (name: string) => {
  account.value = { kind: "in", account: { name, limits: {} } as never };
};
beforeEach(async () => {
  await recording.peek()?.stop();
  signIn("main");
  beginRecording({ getTracks: () => [] } as never);
});

test("a recording continues while the sign-in has ended, until its page is left", async () => {
  account.value = { kind: "out" };
  leaveRecorder();
  expect(recording.value).toBeDefined();
  signIn("main");
  expect(recording.value).toBeDefined();
  leaveRecorder();
  expect(recording.value).toBeUndefined();
});

test("another account ends a recording, which stays that of the account that began it", async () => {
  const before = tasks.value.length;
  account.value = { kind: "out" };
  signIn("other");
  expect(recording.value).toBeUndefined();
  signIn("main");
  await vi.waitFor(() => expect(tasks.value.length).toBe(before + 1));
  signIn("other");
  expect(tasks.value).toEqual([]);
});
