// The settings of a channel that can change while its session runs, at the position that the channel has reached.
import type { ChannelChange, ChannelSettings } from "./channel-contract.ts";
import type { CurrentUtterance } from "./current-utterance.ts";
import type { Endpointing } from "./endpointing.ts";
import { type JudgementParts, PauseJudgement } from "./pause-judgement.ts";

export class SettingsInForce implements ChannelSettings {
  endpointingSeconds: number;
  models: ChannelSettings["models"];
  turns: ChannelSettings["turns"];
  vocabulary: ChannelSettings["vocabulary"];
  /** Undefined if silence alone ends utterances. */
  pauses: PauseJudgement | undefined;
  private parts: (JudgementParts & { utterance: CurrentUtterance }) | undefined;

  constructor({ endpointingSeconds, models, turns, vocabulary }: ChannelSettings) {
    this.endpointingSeconds = endpointingSeconds;
    this.models = models;
    this.turns = turns;
    this.vocabulary = vocabulary;
  }

  /** @param parts  of the channel, which has the settings until now */
  begin(parts: JudgementParts & { utterance: CurrentUtterance }): void {
    this.parts = parts;
    this.pauses = this.turns && new PauseJudgement(this.turns, parts);
  }

  use({ sample, settings, applied }: ChannelChange, endpointing: Endpointing, channel: number): void {
    const { endpointingSeconds, models, turns, vocabulary } = settings;
    // The final of the current utterance is recognised with the vocabulary that is in force at its end.
    if (vocabulary !== this.vocabulary || models !== this.models) this.parts?.finals.cancel();
    if (models !== this.models) this.parts?.utterance.useModels(models, sample);
    Object.assign(this, { endpointingSeconds, models, turns, vocabulary });
    endpointing.configure(this);
    if (turns && this.pauses) this.pauses.configure(turns);
    else this.pauses = turns && this.parts && new PauseJudgement(turns, this.parts);
    applied(channel);
  }
}
