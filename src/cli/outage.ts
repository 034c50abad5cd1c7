// An outage of the connection of a live session. It is reported once, and ends the session after five minutes.

/** As long as uploads and jobs of the command line wait. */
export const MOST_OUTAGE_MILLISECONDS = 300_000;

export class Outage {
  private timer: NodeJS.Timeout | undefined;

  /** @param onBegun  called once an outage @param onTooLong  called after five minutes without a connection */
  constructor(
    private readonly onBegun: () => void,
    private readonly onTooLong: () => void,
  ) {}

  /** The connection is lost, or an attempt to connect has failed. */
  begin(): void {
    if (this.timer) return;
    this.onBegun();
    this.timer = setTimeout(this.onTooLong, MOST_OUTAGE_MILLISECONDS);
  }

  /** The service answers again, or the session has ended. */
  end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
