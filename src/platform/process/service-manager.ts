// Reports the state of the service to systemd: ready, stopping, alive. Node has no datagram sockets of the Unix family, so that systemd's
// own program sends the messages. Without NOTIFY_SOCKET nothing is sent.
import { execFile } from "node:child_process";
import type { Logger } from "pino";
import type { ServiceManagerVariables } from "../config/load.ts";

const PROGRAM = "systemd-notify";
/** The program waits until systemd has read the message. */
const SEND_MILLISECONDS = 10_000;
/** systemd's own recommendation is half of its time limit; a third leaves room for one message that is late. */
const MESSAGES_A_LIMIT = 3;

export class ServiceManager {
  private watchdog: NodeJS.Timeout | undefined;
  private isSending = false;
  private hasFailed = false;

  /** @param variables  undefined where no service manager expects messages */
  constructor(
    private readonly variables: ServiceManagerVariables | undefined,
    private readonly logger: Logger,
  ) {}

  /** The service is ready. From now on systemd expects watchdog messages, which this process sends while its event loop runs. */
  async ready(status: string): Promise<void> {
    await this.send("READY=1", `STATUS=${status}`);
    const limit = this.variables?.watchdogMilliseconds;
    if (limit === undefined || this.watchdog) return;
    this.watchdog = setInterval(() => void this.alive(), limit / MESSAGES_A_LIMIT);
    this.watchdog.unref();
  }

  /** The service is stopping. Watchdog messages continue until the process ends. */
  async stopping(): Promise<void> {
    await this.send("STOPPING=1", "STATUS=stopping");
  }

  private async alive(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    await this.send("WATCHDOG=1");
    this.isSending = false;
  }

  private send(...messages: string[]): Promise<void> {
    const { variables } = this;
    if (!variables) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (error: Error | null) => {
        if (error && !this.hasFailed) {
          this.logger.warn({ err: error }, `systemd cannot be notified: ${PROGRAM} does not work`);
        }
        this.hasFailed = error !== null;
        resolve();
      };
      try {
        execFile(PROGRAM, messages, { env: variables.environment, timeout: SEND_MILLISECONDS }, done);
      } catch (error) {
        // There is no process or descriptor left.
        done(error as Error);
      }
    });
  }
}
