import { expect, test } from "vitest";
import { BoundedOutput } from "./bounded-output.ts";
import type { Sink } from "./sinks.ts";

const failure = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

/** A destination that holds every write until it is completed. */
class HeldSink implements Sink {
  text = "";
  private held: { bytes: Buffer; done: Parameters<Sink["write"]>[1] } | undefined;

  write(bytes: Buffer, done: Parameters<Sink["write"]>[1]): void {
    this.held = { bytes, done };
  }

  /** Completes the pending write with so many bytes, by default all. */
  accept(count = Number.POSITIVE_INFINITY, error?: NodeJS.ErrnoException): void {
    const held = this.held;
    if (!held) throw new Error("nothing is being written");
    this.held = undefined;
    const taken = held.bytes.subarray(0, count);
    this.text += taken.toString();
    held.done(taken.length, error);
  }

  get isHolding(): boolean {
    return this.held !== undefined;
  }

  acceptAll(): void {
    while (this.isHolding) this.accept();
  }
}

const report = (lines: number) => `${lines} dropped\n`;
const line = (name: string, bytes = 100) => `${name.padEnd(bytes - 1, ".")}\n`;

test("lines are written whole and in order, however few bytes each write takes", () => {
  const sink = new HeldSink();
  const output = new BoundedOutput(sink, report);
  const lines = Array.from({ length: 2_000 }, (_, at) => line(`é${at}`));
  for (const one of lines) output.write(one);
  while (sink.isHolding) sink.accept(7_777);
  expect(sink.text).toBe(lines.join(""));
  expect(output.droppedLines).toBe(0);
});

test("lines beyond the bound are dropped, and one line reports their number when writing works again", () => {
  const sink = new HeldSink();
  const output = new BoundedOutput(sink, report);
  for (let at = 0; at < 300; at++) output.write(line(`${at}`, 10_000));
  expect(output.droppedLines).toBeGreaterThan(150);
  expect(output.droppedLines).toBeLessThan(250);
  sink.acceptAll();
  output.write("next\n");
  sink.acceptAll();
  expect(sink.text.endsWith(`\n${output.droppedLines} dropped\nnext\n`)).toBe(true);
  expect(sink.text.match(/dropped/g)).toHaveLength(1);
});

test("on a full disk the rest of a partially written line is kept; the next attempt completes it", async () => {
  const sink = new HeldSink();
  const output = new BoundedOutput(sink, report);
  output.write(line("first"));
  sink.accept(40, failure("ENOSPC"));
  output.write(line("second"));
  await expect.poll(() => sink.isHolding).toBe(true);
  sink.acceptAll();
  expect(sink.text).toBe(line("first") + line("second"));
});

test("a closed reader loses its lines, and nothing else fails", () => {
  const sink = new HeldSink();
  const output = new BoundedOutput(sink, report);
  output.write("first\n");
  output.write("second\n");
  sink.accept(0, failure("EPIPE"));
  expect(output.droppedLines).toBe(2);
  output.write("third\n");
  sink.acceptAll();
  expect(sink.text).toBe("third\n2 dropped\n");
});

test("flush resolves when everything is written, when writing fails, and after the time limit", async () => {
  const sink = new HeldSink();
  const output = new BoundedOutput(sink, report);
  await output.flush(60_000);
  output.write("first\n");
  const written = output.flush(60_000);
  sink.accept();
  await written;
  output.write("second\n");
  const failed = output.flush(60_000);
  sink.accept(0, failure("ENOSPC"));
  await failed;
  await output.flush(1);
});
