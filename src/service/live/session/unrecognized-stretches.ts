// Voice activity of a session without recognised words: which of it is reported, and the warning in the result.

import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { wordlessWarning } from "../../../speech/audio/voice-activity/wordless-speech.ts";
import type { EventOf } from "../events/live-event.ts";

type Unrecognized = EventOf<"speechUnrecognized">;

export class UnrecognizedStretches {
  private readonly reported = new Map<string, Unrecognized>();

  add(event: Unrecognized): void {
    this.reported.set(nameOf(event), event);
  }

  /**
   * False if an earlier process reported it, or if another channel has words at that time: channels leak into each other.
   * @param finals  of all channels
   */
  isNew(event: Unrecognized, finals: Iterable<Pick<Utterance, "channel" | "start" | "end">>): boolean {
    if (this.reported.has(nameOf(event))) return false;
    const [from, until] = event.range;
    for (const { channel, start, end } of finals) {
      if (channel !== event.channel && start < until && end > from) return false;
    }
    return true;
  }

  /**
   * Names the stretches without recognised words; undefined if there are none. Foreign speech has a warning of its own and is left out, and
   * the request removes fillers.
   */
  get warning(): string | undefined {
    const stretches = [...this.reported.values()]
      .filter(({ isForeign, isFiller }) => !isForeign && !isFiller)
      .map(({ range: [startSeconds, endSeconds] }) => ({ startSeconds, endSeconds }))
      .sort((left, right) => left.startSeconds - right.startSeconds);
    return stretches.length > 0 ? wordlessWarning(stretches) : undefined;
  }
}

const nameOf = ({ channel, range }: Unrecognized) => `${channel}:${range[0]}`;
