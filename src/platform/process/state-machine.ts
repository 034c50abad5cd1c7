// State machines as tables: the compiler requires a cell for every state and event. docs/architecture-states.md shows the tables.

/** The next state, which may be the same one; `null`: the event has no effect in this state. */
export type Transitions<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Record<Event, State | null>>>
>;

export class StateMachine<State extends string, Event extends string> {
  constructor(
    private readonly transitions: Transitions<State, Event>,
    private current: State,
  ) {}

  get state(): State {
    return this.current;
  }

  isIn(...states: readonly State[]): boolean {
    return states.includes(this.current);
  }

  /** @returns false if the event has no effect in the current state */
  apply(event: Event): boolean {
    const next = this.transitions[this.current][event];
    if (next === null) return false;
    this.current = next;
    return true;
  }
}

/** States in which an event has an effect, for conditions of updates in the database. */
export function statesWith<State extends string, Event extends string>(
  transitions: Transitions<State, Event>,
  event: Event,
): State[] {
  return (Object.keys(transitions) as State[]).filter((state) => transitions[state][event] !== null);
}

/** The table in Markdown: a row for each state, a column for each event; `–` where the event has no effect. */
export function transitionTable<State extends string, Event extends string>(
  transitions: Transitions<State, Event>,
): string {
  const states = Object.entries(transitions) as [State, Readonly<Record<Event, State | null>>][];
  const events = Object.keys(states[0]?.[1] ?? {}) as Event[];
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    row(["", ...events]),
    row(["---", ...events.map(() => "---")]),
    ...states.map(([state, cells]) => row([`**${state}**`, ...events.map((event) => cells[event] ?? "–")])),
  ].join("\n");
}
