// A progress bar on a terminal; prints nothing if standard error is not a terminal.
import { CLEAR, writeControl } from "./terminal-text.ts";

const WIDTH = 30;

export class ProgressBar {
  private readonly stream = process.stderr;
  private last = "";

  /** @param isShown  false: prints nothing */
  constructor(private readonly isShown = true) {}

  /** @param share  0 to 1 */
  show(label: string, share: number): void {
    if (!this.isShown || !this.stream.isTTY) return;
    const filled = Math.round(WIDTH * Math.min(1, Math.max(0, share)));
    const line = `${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ${String(Math.round(share * 100)).padStart(3)} %  ${label}`;
    if (line === this.last) return;
    this.last = line;
    writeControl(this.stream, CLEAR);
    this.stream.write(line);
  }

  clear(): void {
    if (this.stream.isTTY && this.last !== "") writeControl(this.stream, CLEAR);
    this.last = "";
  }
}
