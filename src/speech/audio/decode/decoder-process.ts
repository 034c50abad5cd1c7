// One decoder process and its open files: gives each file a turn, and detects a process that died or hangs. The file
// with the current turn is then the suspect; the others are opened again elsewhere.
import { errors, type ParlanceError, toParlanceError } from "../../../platform/errors.ts";
import type { SupervisedOptions } from "../../../platform/process/supervised-options.ts";
import { SupervisedProcess } from "../../../platform/process/supervised-process.ts";
import type { DecodeQueue, DecoderSlot, MediaFile } from "./decode-queue.ts";
import type { DecoderRequest, DecoderResponse } from "./message.ts";

/** Bounds the wait of a new file. */
const TURN_MILLISECONDS = 200;
/**
 * A longer turn means that the process hangs: it was stopped, loops, or its disk does not respond. A hundred times the
 * length of a turn, which a busy machine does not reach. The first turn opens the file, which may read a long index
 * from a slow disk.
 */
const TURN_TIMEOUT_MILLISECONDS = 20_000;
const FIRST_TURN_TIMEOUT_MILLISECONDS = 40_000;
/**
 * Decoding is several hundred times faster than real time; a file that takes more than this base plus a tenth of its
 * duration is cancelled.
 */
const SLOW_BASE_SECONDS = 60;
const SLOW_SHARE = 0.1;
/** Number of processes lost to other files after which a file is not opened again. */
const MOST_LOSSES = 20;
/** A process is restarted after this many files, which bounds leaked memory. */
const FILES_PER_PROCESS = 500;

function checkSpeed(file: MediaFile, decodedSeconds: number): void {
  const spentSeconds = file.spentMilliseconds / 1000;
  if (spentSeconds <= SLOW_BASE_SECONDS + decodedSeconds * SLOW_SHARE) return;
  file.cancellation ??= errors.decodingTooSlow(spentSeconds, decodedSeconds);
}

const isLost = ({ code }: ParlanceError) => code === "process.died" || code === "process.timeout";

export class DecoderProcess implements DecoderSlot {
  private readonly process: SupervisedProcess<DecoderRequest, DecoderResponse>;
  private isWorking = false;
  private isStopped = false;
  private finishedFiles = 0;

  /**
   * @param isIsolated  takes suspects, one at a time; it runs only while there are some
   * @param onLost      receives the file whose turn it was when the process was lost
   */
  constructor(
    private readonly queue: DecodeQueue,
    options: SupervisedOptions,
    readonly isIsolated: boolean,
    private readonly onLost: (file: MediaFile, error: ParlanceError) => void,
  ) {
    this.process = new SupervisedProcess(options);
  }

  start(): Promise<void> {
    return this.process.start();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.process.stop();
  }

  /** Works until there is no file for this process. */
  wake(): void {
    if (this.isWorking || this.isStopped) return;
    this.isWorking = true;
    void this.work().finally(() => {
      this.isWorking = false;
      // A file may have been added during the last step.
      if (this.queue.next(this)) this.wake();
    });
  }

  private async work(): Promise<void> {
    for (let file = this.queue.next(this); file && !this.isStopped; file = this.queue.next(this)) {
      if (file.cancellation) await this.close(file, file.cancellation);
      else await this.turn(file);
      // Restart point: no file is open.
      if (this.finishedFiles >= FILES_PER_PROCESS && this.queue.openIn(this).length === 0) {
        this.finishedFiles = 0;
        await this.process.stop();
      }
    }
    if (this.isIsolated) await this.process.stop();
  }

  private async turn(file: MediaFile): Promise<void> {
    // The process may have died between two turns.
    if (file.place && file.openedBy !== this.process.processId && this.release(file)) return;
    const isFirst = !file.place;
    const started = performance.now();
    this.queue.begin(file);
    file.place = this;
    try {
      await this.process.start();
      file.openedBy = this.process.processId;
      const response = await this.process.call(
        {
          kind: "turn",
          file: file.id,
          milliseconds: TURN_MILLISECONDS,
          ...(isFirst ? { task: file.task } : {}),
        },
        { timeoutMilliseconds: isFirst ? FIRST_TURN_TIMEOUT_MILLISECONDS : TURN_TIMEOUT_MILLISECONDS },
      );
      this.queue.end(file, performance.now() - started);
      if (response.kind === "finished") {
        this.removeFile(file);
        file.resolve(response.answer);
      } else if (response.kind === "unfinished") {
        if (response.share !== undefined) file.progress(response.share);
        checkSpeed(file, response.decodedSeconds);
      }
    } catch (thrown) {
      this.queue.end(file, performance.now() - started);
      const error = toParlanceError(thrown);
      if (isLost(error)) this.handleLoss(file, error);
      else {
        this.removeFile(file);
        file.reject(error);
      }
    }
  }

  private async close(file: MediaFile, reason: ParlanceError): Promise<void> {
    try {
      if (file.openedBy === this.process.processId) {
        await this.process.call({ kind: "close", file: file.id }, { timeoutMilliseconds: TURN_TIMEOUT_MILLISECONDS });
      }
    } catch {
      // A dead process has closed its files.
    }
    this.removeFile(file);
    file.reject(reason);
  }

  private removeFile(file: MediaFile): void {
    this.queue.remove(file);
    this.finishedFiles++;
  }

  private handleLoss(suspect: MediaFile, error: ParlanceError): void {
    for (const file of this.queue.openIn(this)) if (file !== suspect) this.release(file);
    suspect.place = undefined;
    suspect.spentMilliseconds = 0;
    this.onLost(suspect, error);
  }

  /** Its process was lost to another file: it is decoded again. @returns true */
  private release(file: MediaFile): true {
    file.place = undefined;
    file.spentMilliseconds = 0;
    if (++file.losses >= MOST_LOSSES) {
      this.removeFile(file);
      file.reject(errors.processDied("decoder", "other files crashed it repeatedly"));
    }
    return true;
  }
}
