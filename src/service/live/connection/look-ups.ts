// Look-ups of the sessions of connections: bounds how many run at once, how long those of a connection take together, and how many
// connections of an account wait. A connection with a key counts as a request of its account.
import type { IncomingMessage } from "node:http";
import { errors } from "../../../platform/errors.ts";
import { AccountPlaces } from "../../../platform/process/fairness/account-places.ts";
import { within } from "../../../platform/process/within.ts";
import type { Sessions } from "../dialects/dialect.ts";
import type { TokenOutcome } from "../session/registry.ts";
import type { SessionAccess } from "./session-access.ts";

/** If the look-ups of a connection take longer together, the client is disconnected and may retry. What it takes to send does not count. */
export const LOOK_UP_MILLISECONDS = 30_000;
/** Connections whose session is being looked up. */
const MOST_OPENING = 1_000;
/** Connections of one account that have no session yet, which no limit of sessions counts. More than a client's pool of reserved connections has. */
const MOST_OF_ACCOUNT = 100;

type Access = Pick<SessionAccess, "of" | "countRequest">;

/** @property release  to be called when the client has its session, or none */
export interface LookUp {
  sessions: Sessions<TokenOutcome>;
  release: () => void;
}

export class LookUps {
  private readonly places = new AccountPlaces(MOST_OF_ACCOUNT, errors.tooManyOpening);
  private opening = 0;

  constructor(private readonly access: Access) {}

  get areTooMany(): boolean {
    return this.opening >= MOST_OPENING;
  }

  /** @returns the sessions that the client of a request may use */
  of(request: IncomingMessage): LookUp {
    return this.within(this.access.of(request));
  }

  /** The same for other clients. */
  within(available: Sessions<TokenOutcome>): LookUp {
    const counted = async (key: string | undefined) => {
      const owner = await available.authenticate(key);
      await this.access.countRequest(owner);
      return owner;
    };
    const sessions = this.bounded({ ...available, authenticate: counted });
    let place = () => {};
    const release = () => place();
    const authenticate = async (key: string | undefined) => {
      const owner = await sessions.authenticate(key);
      place();
      place = this.places.take(owner.account.id);
      return owner;
    };
    return { sessions: { ...sessions, authenticate }, release };
  }

  /** One look-up, counted and bounded in time. */
  counted<Result>(work: Promise<Result>, milliseconds = LOOK_UP_MILLISECONDS): Promise<Result> {
    this.opening++;
    return within(milliseconds, work).finally(() => {
      this.opening--;
    });
  }

  private bounded(sessions: Sessions<TokenOutcome>): Sessions<TokenOutcome> {
    let left = LOOK_UP_MILLISECONDS;
    const run = <Result>(work: Promise<Result>): Promise<Result> => {
      const begun = performance.now();
      return this.counted(work, left).finally(() => {
        left = Math.max(0, left - (performance.now() - begun));
      });
    };
    return {
      byToken: (token, at) => run(sessions.byToken(token, at)),
      isToken: (token) => run(sessions.isToken(token)),
      withToken: (token, at) => run(sessions.withToken(token, at)),
      judge: (given) => sessions.judge(given),
      authenticate: (key) => run(sessions.authenticate(key)),
      isStrict: sessions.isStrict,
      signed: sessions.signed,
      longestSeconds: sessions.longestSeconds,
      idleSeconds: sessions.idleSeconds,
      modelNamed: (name, of) => run(sessions.modelNamed(name, of)),
      create: (wanted, at) => run(sessions.create(wanted, at)),
      resume: (owner, id, at) => run(sessions.resume(owner, id, at)),
    };
  }
}
