import { expect, test } from "vitest";
import { shortageOf } from "../../../system-shortage.ts";
import { asSystemError } from "./pglite-connection.ts";

test("errors of Emscripten's file system have the codes of the system", () => {
  const full = asSystemError({ name: "ErrnoError", errno: 51 });
  expect(full).toMatchObject({ code: "ENOSPC", message: "ENOSPC in a file of the embedded database" });
  expect(shortageOf(full)).toBe("room");
  expect(shortageOf(asSystemError({ name: "ErrnoError", errno: 33 }))).toBe("resources");
  expect(asSystemError({ name: "ErrnoError", errno: 999 }).message).toMatch(/error 999/);
});

test("other errors stay as they are, and objects that are no errors are readable", () => {
  const error = new Error("other");
  expect(asSystemError(error)).toBe(error);
  expect(asSystemError({ status: 7 }).message).toBe('{"status":7}');
  expect(asSystemError(undefined)).toBeInstanceOf(Error);
});
