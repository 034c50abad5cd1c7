// A typed name of a recording, and notices that end with their reason.
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, test, vi } from "vitest";
import { showLanguage } from "../src/language/language.ts";
import { stubStorage } from "./fixtures/page.ts";

const stored = stubStorage();
vi.stubGlobal("document", { querySelector: () => null });
vi.stubGlobal("location", new URL("http://host/"));
vi.stubGlobal("addEventListener", () => undefined);
vi.stubGlobal("navigator", {});
const { isNamedMeanwhile, keptName } = await import("../src/kept-name.ts");
const { Rename } = await import("../src/parts/rename.tsx");
const { account } = await import("../src/account.ts");
const { notice, Notices } = await import("../src/parts/notices.tsx");
const { endFailedUploads, reportFailedUpload } = await import("../src/failed-uploads.ts");
const { taskOf } = await import("../src/task.ts");
const { dropTyped } = await import("../src/transcript/deleted.ts");
const { endUnsaved, reportUnsaved } = await import("../src/transcript/unsaved-notice.ts");
await showLanguage("en");

const JOB = { id: "job", name: "Anna", file: null, kind: "pre-recorded", created_at: "2026-01-01T00:00:00Z" } as const;
const shown = (name: string) =>
  renderToString(h(Rename, { job: { ...JOB, name }, onNamed: async () => undefined, children: "name" }));

test("a name that is restored after a reload says which name somebody else gave meanwhile", () => {
  keptName("job").keep({ text: "Interview", before: "Anna" });
  expect(shown("Anna")).not.toContain("meanwhile");
  expect(shown("Otto")).toContain("“Otto” meanwhile");
  expect(isNamedMeanwhile({ text: " Interview ", before: null }, "Interview")).toBe(false);
});

test("a typed name is dropped with its recording", () => {
  keptName("job").keep({ text: "Interview", before: null });
  dropTyped("job");
  expect(keptName("job").read()).toBeUndefined();
  expect(stored.size).toBe(0);
});

test("the notice about a correction that is not saved names its transcript, leads to it, and ends when it is saved", () => {
  const store = { id: "job", job: { value: JOB } } as never;
  reportUnsaved(store);
  const notices = renderToString(h(Notices, {}));
  expect(notices).toContain("A correction of “Anna” is not saved.");
  expect(notices).toContain('href="/jobs/job"');
  endUnsaved(store);
  expect(renderToString(h(Notices, {}))).not.toContain("Anna");
});

test("a notice is shown to its account alone", () => {
  const signIn = (name: string) => {
    account.value = { kind: "in", account: { name } as never };
  };
  const shownNotices = () => renderToString(h(Notices, {}));
  signIn("main");
  notice("Anna.wav failed", "bad");
  account.value = { kind: "out" };
  // The page of a transcript ends after its account is signed out.
  reportUnsaved({ id: "job", account: "main", job: { value: JOB } } as never);
  notice("The key is wrong", "bad");
  for (const next of [undefined, "other"]) {
    if (next !== undefined) signIn(next);
    expect(shownNotices()).not.toContain("Anna");
    expect(shownNotices()).toContain("The key is wrong");
  }
  signIn("main");
  expect(shownNotices()).toContain("Anna.wav failed");
  expect(shownNotices()).toContain("A correction of “Anna” is not saved.");
  account.value = { kind: "out" };
});

test("files that fail have one notice, which names one file, counts several, and leads to Transcribe", () => {
  account.value = { kind: "in", account: { name: "main" } as never };
  const fail = (name: string) => {
    const place = { key: name, account: "main", name, source: new File([], name), options: {} };
    reportFailedUpload(taskOf({ ...place, refusal: "No room" }, true), "No room");
    return renderToString(h(Notices, {}));
  };
  notice("Another failure", "bad");
  const first = fail("a.wav");
  expect(first).toContain("a.wav failed: No room");
  expect(first).toContain('<a href="/">Transcribe</a>');
  for (const name of ["b.wav", "c.wav", "d.wav", "e.wav"]) fail(name);
  const last = fail("f.wav");
  expect(last).toContain("6 recordings failed");
  expect(last).not.toContain(".wav failed: No room");
  expect(last).toContain("Another failure");
  endFailedUploads("main");
  expect(renderToString(h(Notices, {}))).not.toContain("recordings failed");
  expect(fail("g.wav")).toContain("g.wav failed: No room");
  account.value = { kind: "out" };
});
