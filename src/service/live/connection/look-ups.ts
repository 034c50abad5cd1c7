// Look-ups of the sessions of connections: bounds how many run at once, how long each takes, and how many connections of an account wait.
import type { IncomingMessage } from "node:http";
import { errors } from "../../../platform/errors.ts";
import { AccountPlaces } from "../../../platform/process/fairness/account-places.ts";
import { within } from "../../../platform/process/within.ts";
import type { Sessions } from "../dialects/dialect.ts";
import type { TokenOutcome } from "../session/registry.ts";
import type { SessionAccess } from "./session-access.ts";

/** If a session is not found within this time, the client is disconnected and may retry. */
export const LOOK_UP_MILLISECONDS = 30_000;
/** Connections whose session is being looked up. */
const MOST_OPENING = 1_000;
/** Connections of one account that have no session yet, which no limit of sessions counts. More than a client's pool of reserved connections has. */
const MOST_OF_ACCOUNT = 100;

export class LookUps {
  private readonly places = new AccountPlaces(MOST_OF_ACCOUNT, errors.tooManyOpening);
  private opening = 0;

  constructor(private readonly access: SessionAccess) {}

  get areTooMany(): boolean {
    return this.opening >= MOST_OPENING;
  }

  /** @returns the sessions that the client of a request may use; `release` is called when it has its session, or none */
  of(request: IncomingMessage): { sessions: Sessions<TokenOutcome>; release: () => void } {
    return this.within(this.access.of(request));
  }

  /** The same for other clients. */
  within(available: Sessions<TokenOutcome>): { sessions: Sessions<TokenOutcome>; release: () => void } {
    const sessions = this.bounded(available);
    let place = () => {};
    const release = () => place();
    const authenticate = async (key: string | undefined) => {
      const owner = await sessions.authenticate(key);
      place = this.places.take(owner.account.id);
      return owner;
    };
    return { sessions: { ...sessions, authenticate }, release };
  }

  private bounded(sessions: Sessions<TokenOutcome>): Sessions<TokenOutcome> {
    const run = <Result>(work: Promise<Result>): Promise<Result> => {
      this.opening++;
      return within(LOOK_UP_MILLISECONDS, work).finally(() => this.opening--);
    };
    return {
      byToken: (token, at) => run(sessions.byToken(token, at)),
      authenticate: (key) => run(sessions.authenticate(key)),
      isStrict: sessions.isStrict,
      modelNamed: (name, of) => run(sessions.modelNamed(name, of)),
      create: (wanted, at) => run(sessions.create(wanted, at)),
      resume: (owner, id, at) => run(sessions.resume(owner, id, at)),
    };
  }
}
