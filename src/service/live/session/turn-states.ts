// The turns of a session's channels, from its persisted events: where a channel of the next process continues.
import type { TurnState } from "../channel/channel-contract.ts";
import type { LiveEvent } from "../events/live-event.ts";

interface ChannelTurn {
  state: TurnState;
  /** End of the last speech that no speech has followed, seconds; undefined during speech. */
  silentSince: number | undefined;
}

export class TurnStates {
  private readonly turns = new Map<number, ChannelTurn>();

  of(channel: number): TurnState {
    return this.turns.get(channel)?.state;
  }

  observe(event: LiveEvent): void {
    switch (event.kind) {
      case "speechStarted":
        return this.set(event.channel, { state: this.of(event.channel) ?? "open", silentSince: undefined });
      case "speechEnded": {
        const silentSince = event.isCut ? undefined : event.seconds;
        return this.set(event.channel, { state: this.of(event.channel), silentSince });
      }
      case "final": {
        // The end of the turn follows the final of its last utterance.
        const { state, silentSince } = this.turns.get(event.utterance.channel) ?? {};
        if (state === undefined || silentSince === undefined) return;
        return this.set(event.utterance.channel, { state: { endedAt: silentSince }, silentSince });
      }
      case "turnProbablyOver":
        return this.set(event.channel, { state: "probable", silentSince: this.turns.get(event.channel)?.silentSince });
      case "turnResumed":
        return this.set(event.channel, { state: "open", silentSince: undefined });
      case "turnOver":
        return this.set(event.channel, { state: undefined, silentSince: undefined });
    }
  }

  private set(channel: number, turn: ChannelTurn): void {
    this.turns.set(channel, turn);
  }
}
