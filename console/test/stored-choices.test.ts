// Choices of the page of a transcript that the browser stores, and the switch that permits typing.
import { signal } from "@preact/signals";
import { renderToString } from "preact-render-to-string";
import { beforeEach, expect, test, vi } from "vitest";
import { showLanguage } from "../src/language/language.ts";
import { stubStorage } from "./fixtures/page.ts";

const stored = stubStorage();
const media = { addEventListener: () => undefined, defaultPlaybackRate: 1, playbackRate: 1 };
vi.stubGlobal("document", { querySelector: () => null, createElement: () => ({ ...media }) });
vi.stubGlobal("location", new URL("http://host/"));
vi.stubGlobal("addEventListener", () => undefined);
const { storedSignal } = await import("../src/stored-signal.ts");
const { createFollowing } = await import("../src/transcript/following.ts");
const { createPlayer } = await import("../src/transcript/player.ts");
const { chooseEditable, EditSwitch, editsByTyping, RecognisedHint, setEditable } = await import(
  "../src/transcript/edit-switch.tsx"
);
await showLanguage("en");

beforeEach(() => stored.clear());

test("speed, following and other switches are as they were chosen for the transcript before", () => {
  expect(createFollowing().isOn.value).toBe(true);
  createFollowing().isOn.value = false;
  expect(createFollowing().isOn.value).toBe(false);
  createPlayer("/one").setSpeed(1.5);
  const next = createPlayer("/other");
  expect(next.speed.value).toBe(1.5);
  expect(next.media).toMatchObject({ playbackRate: 1.5, defaultPlaybackRate: 1.5 });
});

test("a stored value that is no choice is ignored", () => {
  stored.set("parlance.speed", "9");
  expect(createPlayer("/one").speed.value).toBe(1);
  stored.set("parlance.follows-playback", '"yes"');
  expect(storedSignal("follows-playback", true).value).toBe(true);
});

test("the switch of typing is off and says why while the recognised text is shown; switching it on shows the corrections", () => {
  const props = { isEditable: signal(true), showsCorrected: signal(false) };
  const shown = () =>
    [EditSwitch(props), RecognisedHint(props)].map((part) => (part ? renderToString(part) : "")).join("");
  expect(shown()).not.toContain("checked");
  expect(shown()).toContain("without corrections");
  setEditable(props, true);
  expect(props.showsCorrected.value).toBe(true);
  expect(shown()).toContain("checked");
  expect(shown()).not.toContain("without corrections");
});

test("the switch of typing stores the choice; the key that begins typing does not", () => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  const opened = () => ({ isEditable: editsByTyping(), showsCorrected: signal(false) });
  const page = opened();
  expect(page.isEditable.value).toBe(false);
  setEditable(page, true);
  expect(page.isEditable.value).toBe(true);
  expect(opened().isEditable.value).toBe(false);
  chooseEditable(page, true);
  expect(opened().isEditable.value).toBe(true);
  chooseEditable(page, false);
  expect(opened().isEditable.value).toBe(false);
});
