// Typed text: whose it is, where it belongs after the transcript changed, and what happens if two people change one note.
import { expect, test } from "vitest";
import type { Utterance } from "../../src/contract/job.ts";
import type { TranscriptChange } from "../../src/contract/transcript/correction.ts";
import { corrected } from "../../src/service/transcripts/corrections.ts";
import { draftsOf, dropDrafts, hasDrafts, storeDraft } from "../src/transcript/drafts.ts";
import { type Edit, isSendable, typedEdit } from "../src/transcript/edits.ts";
import { dropNoteDrafts, hasNoteDrafts, noteDrafts } from "../src/transcript/note-drafts.ts";
import type { Note } from "../src/transcript/note-store.ts";

function utterance(text: string, start: number): Utterance {
  const words = text.split(/(?=\s)/).map((word, at) => ({
    word,
    start: start + at,
    end: start + at + 0.5,
    confidence: 0.9,
  }));
  return { text, words, start, end: start + words.length, language: "en", confidence: 0.9, channel: 0, speaker: 0 };
}

const TRANSCRIPTION = {
  full_transcript: "",
  languages: ["en"],
  utterances: [
    utterance("One two.", 0),
    utterance("Three four.", 10),
    utterance("Five six.", 20),
    utterance("Seven.", 30),
  ],
};
const reading = (...changes: TranscriptChange[]) =>
  corrected(
    TRANSCRIPTION,
    changes.map((change) => ({ ...change, undone_at: null })),
  );
const typedAfter = (at: number, text: string, ...changes: TranscriptChange[]) =>
  typedEdit(new Map<number, Edit>(), { shown: reading(), reading: reading(...changes) }, at, text);

test("what is typed while paragraphs are joined or divided belongs to the paragraph in which it was typed", () => {
  expect(typedAfter(2, "Five six!")).toMatchObject({ position: 2, edit: { target: { index: 2 }, base: "Five six." } });
  const joined = typedAfter(2, "Five six!", { joins: [{ index: 1, into: 0 }] });
  expect(joined).toMatchObject({ position: 1, edit: { target: { index: 2 }, base: "Five six.", text: "Five six!" } });
  const divided = typedAfter(2, "Five six!", { breaks: [{ index: 0, start: 1.2 }] });
  expect(divided).toMatchObject({ position: 3, edit: { target: { index: 2 }, base: "Five six." } });
  // An earlier change of the same paragraph is continued.
  const former: Edit = { target: { index: 2 }, base: "Five six.", text: "Five" };
  const now = reading({ joins: [{ index: 1, into: 0 }] });
  expect(typedEdit(new Map([[1, former]]), { shown: reading(), reading: now }, 2, "Five si")?.edit).toBe(former);
  expect(former.text).toBe("Five si");
});

test("what is typed in a paragraph that is joined with another one meanwhile becomes a change that is not saved", () => {
  const gone = typedAfter(2, "Five six!", { joins: [{ index: 2, into: 1 }] });
  expect(gone).toMatchObject({ position: -1, edit: { target: { index: 2 }, base: "Five six.", text: "Five six!" } });
});

test("what somebody else changed in the paragraph meanwhile is not replaced without a question", () => {
  const typed = typedAfter(2, "Five six!", { utterances: [{ index: 2, text: "Five seven." }] });
  expect(typed?.edit.theirs?.trim()).toBe("Five seven.");
  expect(isSendable(typed?.edit as Edit)).toBe(false);
});

test("drafts of a recording are removed for the account that typed them alone", () => {
  const change = { before: { text: "before" }, changed: { text: "after" } };
  storeDraft("job", { ...change, account: "one", target: { index: 0 } });
  storeDraft("job", { ...change, account: "other", target: { index: 1 } });
  // An earlier version of the console stored no account.
  storeDraft("job", { ...change, target: { index: 2 } });
  expect([hasDrafts("job", "one"), hasDrafts("job", "nobody"), hasDrafts("another", "one")]).toEqual([
    true,
    false,
    false,
  ]);
  dropDrafts("job", "one");
  expect(draftsOf("job").map(({ target }) => target.index)).toEqual([1, 2]);
  dropDrafts("job");
  expect(draftsOf("job")).toEqual([]);
});

const NOTE: Note = {
  id: "n1",
  created_at: "2026-01-01T00:00:00.000Z",
  made_by: "Anna",
  changed_at: null,
  changed_by: null,
  version: 3,
  channel: 0,
  start: 1,
  end: 2,
  colour: "green",
  text: "Who?",
  quote: "One two.",
};

test("a note that is left before it is saved is offered again, with its text, to the account that wrote it", () => {
  const drafts = noteDrafts("job", "one");
  drafts.change(NOTE);
  const open = drafts.opened.value;
  expect(open).toMatchObject({ content: { text: "Who?", colour: "green" } });
  // Nothing was typed.
  drafts.close();
  expect(drafts.left.value).toEqual([]);
  if (!open) throw new Error("no draft");
  drafts.put({ ...open, content: { text: "Anna?", colour: "green" } });
  expect(drafts.left.value).toEqual([]);
  drafts.close();
  expect(drafts.left.value).toMatchObject([{ note: { version: 3 }, content: { text: "Anna?" } }]);
  const words = [{ channel: 0, start: 5, end: 6 }];
  drafts.write(words, "Three");
  drafts.put({ ...(drafts.opened.value as typeof open), content: { text: "New", colour: "yellow" } });
  drafts.close();
  const reopened = noteDrafts("job", "one");
  expect(reopened.left.value.map(({ content }) => content.text).sort()).toEqual(["Anna?", "New"]);
  reopened.write(words, "Three");
  expect(reopened.opened.value?.content.text).toBe("New");
  reopened.change({ ...NOTE, version: 4 });
  // Its version is the one that the text was based on.
  expect(reopened.opened.value).toMatchObject({ note: { version: 3 }, content: { text: "Anna?" } });
  expect(noteDrafts("job", "other").left.value).toEqual([]);
  expect(noteDrafts("another", "one").left.value).toEqual([]);
  dropNoteDrafts("job", "other");
  expect(hasNoteDrafts("job", "one")).toBe(true);
  dropNoteDrafts("job", "one");
  expect(hasNoteDrafts("job", "one")).toBe(false);
});
