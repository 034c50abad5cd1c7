// Sessions of calls that come by AudioSocket: one that POST /v2/live created, whose id the call has, or a new one.
import { SAMPLE_RATES } from "../../../../contract/live.ts";
import { errors, ParlanceError } from "../../../../platform/errors.ts";
import { errorOf } from "../../dialects/audiosocket/errors.ts";
import { OTHER_INTERFACE_EVENTS, type Owner, type Sessions } from "../../dialects/dialect.ts";
import type { TokenOutcome } from "../../session/registry.ts";
import type { Session } from "../../session/session.ts";
import { CLOSINGS } from "../closings.ts";
import { LookUps } from "../look-ups.ts";
import type { SessionAccess } from "../session-access.ts";

/** Name of the listener in corrections and the audit log, where its sessions belong to no key of the database. */
const LISTENER = "PARLANCE_AUDIOSOCKET_PORT";
const BIT_DEPTH = 16;

export class AudioSocketSessions {
  private readonly lookUps: LookUps;
  /** Set when the process is about to stop. */
  isStopping = false;

  /** @param key  PARLANCE_AUDIOSOCKET_KEY */
  constructor(
    private readonly access: SessionAccess,
    private readonly key: string,
  ) {
    this.lookUps = new LookUps(access);
  }

  /** Whether the key of the setting is valid. */
  async hasAccount(): Promise<boolean> {
    return this.access
      .ofListener(this.key, LISTENER)
      .authenticate(undefined)
      .then(
        () => true,
        () => false,
      );
  }

  /**
   * @param id    of the call
   * @param rate  of its audio, Hz
   * @throws live.audiosocket_packet, account.key_unknown, limit.requests, what `SessionCreation.create` throws
   */
  async open(id: string, rate: number): Promise<Session> {
    if (this.isStopping) throw errors.notReady("this process is about to stop");
    if (this.lookUps.areTooMany) throw errors.notReady("too many connections are being opened");
    if (!SAMPLE_RATES.includes(rate)) {
      throw errors.audioSocketPacket(`audio of ${rate} Hz is not supported; use one of ${SAMPLE_RATES.join(", ")}`);
    }
    const { sessions, release } = this.lookUps.within(this.access.ofListener(this.key, LISTENER));
    try {
      const owner = await sessions.authenticate(undefined);
      const found = (await this.existing(owner, id, rate, sessions)) ?? (await this.created(owner, id, rate, sessions));
      if (found.kind === "session") return found.session;
      throw errorOf(CLOSINGS[found.kind]) ?? errors.notReady("the session cannot be opened");
    } finally {
      release();
    }
  }

  /** @returns undefined if the account has no session of this id */
  private async existing(
    owner: Owner,
    id: string,
    rate: number,
    sessions: Sessions<TokenOutcome>,
  ): Promise<TokenOutcome | undefined> {
    let different: string;
    try {
      const { found, params } = await sessions.resume(owner, id, Date.now());
      const { encoding, bit_depth, sample_rate, channels } = params;
      const isSame = encoding === "wav/pcm" && bit_depth === BIT_DEPTH && sample_rate === rate && channels === 1;
      if (isSame) return found;
      different = `${encoding}, ${bit_depth} bits, ${sample_rate} Hz, channels ${channels}`;
    } catch (error) {
      if (error instanceof ParlanceError && error.code === "request.not_found") return undefined;
      throw error;
    }
    throw errors.audioSocketPacket(
      `the call has wav/pcm, ${BIT_DEPTH} bits, ${rate} Hz, channels 1; its session has ${different}. Create it by POST /v2/live with sample_rate ${rate}`,
    );
  }

  private async created(
    owner: Owner,
    id: string,
    rate: number,
    sessions: Sessions<TokenOutcome>,
  ): Promise<TokenOutcome> {
    const { body, warnings } = sessions.judge({
      ...{ encoding: "wav/pcm", bit_depth: BIT_DEPTH, sample_rate: rate, channels: 1 },
      custom_metadata: { platform: "asterisk", uuid: id },
      messages_config: OTHER_INTERFACE_EVENTS,
    });
    const wanted = { owner, body, warnings, client: { reconnects: false } };
    return (await sessions.create(wanted, Date.now())).found;
  }
}
