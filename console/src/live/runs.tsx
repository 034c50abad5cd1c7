// The words of a line on the live page.
import type { Utterance } from "../shapes.ts";
import { shownSpeaker, speakerClass } from "../transcript/speakers.ts";
import { runsOf } from "./lines.ts";

/** The words, with the speaker in front wherever another one begins. */
export function Runs({ utterance, names }: { utterance: Utterance; names: Readonly<Record<number, string>> }) {
  return runsOf(utterance).map(({ speaker, text }, at) => (
    <span key={at} class={speakerClass(speaker)}>
      {speaker === undefined ? null : <b class="caption-speaker">{shownSpeaker(speaker, names)}: </b>}
      {text}{" "}
    </span>
  ));
}
