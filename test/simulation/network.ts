// Requests from the processes of a simulation to the servers that they share. Requests and answers take time, can be lost with a
// connection, and can arrive late or twice.
import type { Random } from "../fixtures/random.ts";
import { Place, type VirtualTime } from "./virtual-time.ts";

export type Server = "nats" | "database" | "objects" | "receivers";

const LEAST_DELAY_MILLISECONDS = 0.2;
const DELAY_SPREAD_MILLISECONDS = 3;
const MOST_SLOWNESS_MILLISECONDS = 4_000;
/** After a connection is possible again, a client needs this long to reconnect. */
const MOST_RECONNECT_MILLISECONDS = 2_500;

interface Route {
  cutUntil: number;
  slowUntil: number;
}

export class Network {
  /** The servers have one place: they are never stopped. */
  readonly servers = new Place("servers");
  private readonly routes = new Map<string, Route>();
  private readonly armed = new Map<string, { requests: number; run: () => void }[]>();

  constructor(
    readonly time: VirtualTime,
    readonly random: Random,
  ) {}

  private route(place: Place, server: string): Route {
    const name = `${place.name} ${server}`;
    const known = this.routes.get(name) ?? { cutUntil: 0, slowUntil: 0 };
    this.routes.set(name, known);
    return known;
  }

  cut(place: Place, server: string, milliseconds: number): void {
    this.route(place, server).cutUntil = this.time.now + milliseconds;
  }

  slow(place: Place, server: string, milliseconds: number): void {
    this.route(place, server).slowUntil = this.time.now + milliseconds;
  }

  isCut(place: Place, server: string): boolean {
    return this.route(place, server).cutUntil > this.time.now;
  }

  /** When a client that was cut off is connected again. */
  reconnection(place: Place, server: string): number {
    return Math.max(this.time.now, this.route(place, server).cutUntil) + this.random() * MOST_RECONNECT_MILLISECONDS;
  }

  /** Runs something when the place has sent this many more requests: between two steps of a protocol. */
  afterRequests(place: Place, requests: number, run: () => void): void {
    if (requests === 0) {
      run();
      return;
    }
    const armed = this.armed.get(place.name) ?? [];
    this.armed.set(place.name, [...armed, { requests, run }]);
  }

  /** Counts a request of a place. */
  count(place: Place): void {
    const armed = this.armed.get(place.name);
    if (!armed || armed.length === 0) return;
    for (const one of armed) if (--one.requests === 0) this.time.after(this.servers, 0, one.run);
    this.armed.set(
      place.name,
      armed.filter(({ requests }) => requests > 0),
    );
  }

  delay(place: Place, server: string): number {
    const usual = LEAST_DELAY_MILLISECONDS + this.random() * DELAY_SPREAD_MILLISECONDS;
    if (this.route(place, server).slowUntil <= this.time.now || this.random() < 0.5) return usual;
    return usual + this.random() * MOST_SLOWNESS_MILLISECONDS;
  }

  /**
   * @param work  of the server; calls the function that it is given with the answer, at once or later
   * @param late  error after `timeoutMilliseconds` without an answer
   */
  request<Answer>(
    place: Place,
    server: Server,
    work: (answer: (outcome: { value: Answer } | { error: unknown }) => void) => void,
    timeoutMilliseconds: number,
    late: () => unknown,
  ): Promise<Answer> {
    this.count(place);
    return new Promise<Answer>((resolve, reject) => {
      const timer = setTimeout(() => reject(late()), timeoutMilliseconds);
      const answer = (outcome: { value: Answer } | { error: unknown }) => {
        // The answer is lost with the connection.
        if (this.isCut(place, server)) return;
        this.time.after(place, this.delay(place, server), () => {
          clearTimeout(timer);
          if ("error" in outcome) reject(outcome.error);
          else resolve(outcome.value);
        });
      };
      const arrive = () => work(answer);
      if (!this.isCut(place, server)) this.time.after(this.servers, this.delay(place, server), arrive);
      // A client keeps what it could not send, and sends it when it has reconnected.
      else if (this.random() < 0.5) this.time.at(this.servers, this.reconnection(place, server), arrive);
    });
  }
}
