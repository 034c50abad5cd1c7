// "Try again" is offered where another attempt can succeed, and only there.
import { expect, test } from "vitest";
import { messageDetails } from "../../src/contract/messages/message-details.ts";
import { errors, type ParlanceError } from "../../src/platform/errors.ts";
import { canJobSucceed, canUploadSucceed } from "../src/can-succeed.ts";

/** As a job shows the error that it ended with. */
const ended = ({ status, message }: Pick<ParlanceError, "status" | "message">) =>
  canJobSucceed({ error_code: status, error_details: messageDetails(message) });

test("an address that could not be fetched, and a fault of the service, can succeed later", () => {
  const passing = [
    errors.remoteFailed("the connection was refused"),
    errors.remoteNotFound(),
    errors.remoteRateLimited(),
    errors.internal(new Error("a fault")),
    errors.noSuchTrack(3, [{ number: 0, channels: 1 }]),
  ];
  for (const error of passing) expect(ended(error), error.message).toBe(true);
  for (const status of [0, 401, 408, 429, 500, 503, 507]) expect(canUploadSucceed(status), `${status}`).toBe(true);
});

test("an empty file, and one that cannot be decoded, cannot", () => {
  const final = [
    errors.emptyFile(),
    errors.noAudioTrack(),
    errors.noAudio(),
    errors.notDecodable("no header was found"),
  ];
  for (const error of final) expect(ended(error), error.message).toBe(false);
  for (const status of [400, 413, 422]) expect(canUploadSucceed(status), `${status}`).toBe(false);
});

test("a job without a code is judged by its status", () => {
  expect([400, 413, 424, 500].map((error_code) => canJobSucceed({ error_code }))).toEqual([false, false, true, true]);
});
