import { expect, test } from "vitest";
import { errors } from "../../../platform/errors.ts";
import type { ChannelServices } from "./channel-contract.ts";
import { ChannelRecognizer } from "./channel-recognizer.ts";
import { SampleBuffer } from "./sample-buffer.ts";

const recognizer = () =>
  new ChannelRecognizer(
    { vocabulary: [] },
    {} as Pick<ChannelServices, "recognition">,
    new SampleBuffer(0),
    new AbortController().signal,
  );

test("audio that crashes every recogniser process is given up", { timeout: 20_000 }, async () => {
  let processes = 0;
  const result = recognizer().retryTransient(async () => {
    processes++;
    throw errors.processDied("recogniser", "SIGSEGV");
  });
  await expect(result).rejects.toMatchObject({ code: "process.died" });
  expect(processes).toBe(20);
});

test("audio is not lost to occasional process crashes, or to a full queue", { timeout: 20_000 }, async () => {
  let tries = 0;
  const result = await recognizer().retryTransient(async () => {
    if (++tries < 30)
      throw tries % 10 === 0 ? errors.processDied("recogniser", "SIGKILL") : errors.recognitionQueueFull();
    return "words";
  });
  expect(result).toBe("words");
});
