// The settings of a channel that can change while its session runs, at the position that the channel has reached.
import type { ChannelChange, ChannelSettings } from "./channel-contract.ts";
import type { Endpointing } from "./endpointing.ts";
import { type JudgementParts, PauseJudgement } from "./pause-judgement.ts";

export class SettingsInForce implements ChannelSettings {
  endpointingSeconds: number;
  turns: ChannelSettings["turns"];
  vocabulary: ChannelSettings["vocabulary"];
  /** Undefined if silence alone ends utterances. */
  pauses: PauseJudgement | undefined;
  private parts: JudgementParts | undefined;

  constructor({ endpointingSeconds, turns, vocabulary }: ChannelSettings) {
    this.endpointingSeconds = endpointingSeconds;
    this.turns = turns;
    this.vocabulary = vocabulary;
  }

  /** @param parts  of the channel, which has the settings until now */
  begin(parts: JudgementParts): void {
    this.parts = parts;
    this.pauses = this.turns && new PauseJudgement(this.turns, parts);
  }

  use({ settings, applied }: ChannelChange, endpointing: Endpointing, channel: number): void {
    const { endpointingSeconds, turns, vocabulary } = settings;
    // The final of the current utterance is recognised with the vocabulary that is in force at its end.
    if (vocabulary !== this.vocabulary) this.parts?.finals.cancel();
    Object.assign(this, { endpointingSeconds, turns, vocabulary });
    endpointing.configure(this);
    if (turns && this.pauses) this.pauses.configure(turns);
    else this.pauses = turns && this.parts && new PauseJudgement(turns, this.parts);
    applied(channel);
  }
}
