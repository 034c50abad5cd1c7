// Shows speakers, times and other versions of a text beside the paragraphs.

import { t } from "../../language/language.ts";
import type { Editing } from "../editing.ts";
import type { Edit } from "../edits.ts";
import { shownSpeaker } from "../speakers.ts";
import type { InView } from "./in-view.ts";
import type { Note } from "./notes.tsx";

function noteOf(editing: Editing, at: number, { theirs, elsewhere }: Edit): Note | undefined {
  if (theirs === undefined && elsewhere === undefined) return undefined;
  return {
    theirs,
    elsewhere: elsewhere?.changed.text,
    onKeepMine: () => void editing.keepMine(at),
    onUseTheirs: () => editing.discard(at),
    onTakeOther: () => editing.takeOther(at),
  };
}

/** @param elements  of the paragraphs, in order */
export function showBesideText(elements: readonly Element[], inView: InView, editing: Editing): void {
  const { value: shown } = editing.document;
  if (!shown) return;
  const { reading, edits } = shown;
  const corrected = new Set(reading.corrected_utterances);
  for (const [at, element] of elements.entries()) {
    const [paragraph, utterance] = [inView.of(element), reading.utterances[at]];
    if (!paragraph || !utterance) continue;
    const { speaker, start, language } = utterance;
    const name = speaker === undefined ? t.names.noSpeaker : shownSpeaker(speaker, reading.speaker_names);
    paragraph.show({ at, speaker, name, start, language, isCorrected: corrected.has(at) });
    const edit = edits.get(at);
    paragraph.showNote(edit && noteOf(editing, at, edit));
  }
}
