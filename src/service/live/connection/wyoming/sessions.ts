// What connections of the Wyoming protocol need of the service: its models, and sessions of the account that they belong to.
import { errors } from "../../../../platform/errors.ts";
import { DEFAULT_MODEL, type ModelStore } from "../../../models/store.ts";
import { infoOf } from "../../dialects/wyoming/info.ts";
import type { SampleFormat } from "../../dialects/wyoming/pcm.ts";
import { errorOf } from "../../dialects/wyoming/printer.ts";
import { liveBodyOf, type TranscribeOptions } from "../../dialects/wyoming/transcribe.ts";
import type { Session } from "../../session/session.ts";
import { CLOSINGS } from "../closings.ts";
import { LookUps } from "../look-ups.ts";
import type { SessionAccess } from "../session-access.ts";

/** Name of the listener in corrections and the audit log, where its sessions belong to no key of the database. */
const LISTENER = "PARLANCE_WYOMING_PORT";

export interface SessionsServices {
  access: SessionAccess;
  models: ModelStore;
  /** Of this service. */
  version: string;
  /** PARLANCE_WYOMING_KEY. */
  key: string;
  isStrict: boolean;
}

export class WyomingSessions {
  private readonly lookUps: LookUps;
  /** Set when the process is about to stop. */
  isStopping = false;

  constructor(private readonly services: SessionsServices) {
    this.lookUps = new LookUps(services.access);
  }

  /** PARLANCE_STRICT_REQUESTS: fields without effect are refused. */
  get isStrict(): boolean {
    return this.services.isStrict;
  }

  async info() {
    return infoOf(await this.services.models.list(), this.services.version);
  }

  /** Whether the key of the setting is valid. */
  async hasAccount(): Promise<boolean> {
    return this.services.access
      .ofListener(this.services.key, LISTENER)
      .authenticate(undefined)
      .then(
        () => true,
        () => false,
      );
  }

  /**
   * @param format    of the session's audio
   * @param warnings  about parts of the client's events without effect
   * @throws account.key_unknown, limit.requests, models.unknown, what `SessionCreation.create` throws
   */
  async open(
    options: TranscribeOptions,
    format: SampleFormat,
    warnings: readonly string[],
  ): Promise<{ id: string; session: Session }> {
    const { access, key } = this.services;
    if (this.isStopping) throw errors.notReady("this process is about to stop");
    if (this.lookUps.areTooMany) throw errors.notReady("too many connections are being opened");
    const { sessions, release } = this.lookUps.within(access.ofListener(key, LISTENER));
    try {
      const owner = await sessions.authenticate(undefined);
      const model = options.model === undefined ? DEFAULT_MODEL : await sessions.modelNamed(options.model, "openai");
      const body = liveBodyOf(options, format, model);
      const { id, found } = await sessions.create({ owner, body, warnings, client: { reconnects: false } }, Date.now());
      if (found.kind === "session") return { id, session: found.session };
      throw errorOf(CLOSINGS[found.kind]) ?? errors.notReady("the session cannot be opened");
    } finally {
      release();
    }
  }
}
