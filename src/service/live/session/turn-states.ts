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
    const channel = event.kind === "final" ? event.utterance.channel : "channel" in event ? event.channel : undefined;
    if (channel === undefined) return;
    const next = nextOf(event, this.turns.get(channel) ?? { state: undefined, silentSince: undefined });
    if (next) this.turns.set(channel, next);
  }
}

function nextOf(event: LiveEvent, { state, silentSince }: ChannelTurn): ChannelTurn | undefined {
  switch (event.kind) {
    case "speechStarted":
      return { state: state ?? "open", silentSince: undefined };
    case "speechEnded":
      return { state, silentSince: event.isCut ? undefined : event.seconds };
    case "speechUnrecognized":
    case "final":
      // Speech without a final, other than removed fillers, leaves the turn as it is.
      if (event.kind === "speechUnrecognized" && !event.isFiller) return undefined;
      // The end of the turn follows the final of its last utterance.
      return state === undefined || silentSince === undefined
        ? undefined
        : { state: { endedAt: silentSince }, silentSince };
    case "turnProbablyOver":
      return { state: "probable", silentSince };
    case "turnResumed":
      return { state: "open", silentSince: undefined };
    case "turnOver":
      return { state: undefined, silentSince: undefined };
    default:
      return undefined;
  }
}
