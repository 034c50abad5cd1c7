import { expect, test } from "vitest";
import { userFolders } from "./user-folders.ts";

test("the XDG variables, else folders below the home directory", () => {
  expect(userFolders({ HOME: "/home/ada" }, "linux")).toEqual({
    cache: "/home/ada/.cache/parlance",
    config: "/home/ada/.config/parlance",
    state: "/home/ada/.local/state/parlance",
  });
  const named = { HOME: "/home/ada", XDG_CACHE_HOME: "/cache", XDG_CONFIG_HOME: "relative", XDG_STATE_HOME: "/state" };
  expect(userFolders(named, "linux")).toEqual({
    cache: "/cache/parlance",
    config: "/home/ada/.config/parlance",
    state: "/state/parlance",
  });
});

test("macOS and Windows have folders of their own", () => {
  expect(userFolders({ HOME: "/Users/ada" }, "darwin").cache).toBe("/Users/ada/Library/Caches/parlance");
  const windows = { LOCALAPPDATA: "/c/Local", APPDATA: "/c/Roaming", USERPROFILE: "/c/ada" };
  expect(userFolders(windows, "win32")).toEqual({
    cache: "/c/Local/parlance",
    config: "/c/Roaming/parlance",
    state: "/c/Local/parlance",
  });
});

test("without a home directory there are none", () => {
  expect(userFolders({}, "linux")).toEqual({ cache: "", config: "", state: "" });
});
