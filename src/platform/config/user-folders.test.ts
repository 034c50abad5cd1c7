import { expect, test } from "vitest";
import { userFolders } from "./user-folders.ts";

test("the XDG variables, else folders below the home directory", () => {
  expect(userFolders({ HOME: "/home/ada" }, "linux")).toEqual({
    cache: "/home/ada/.cache/parlance",
    config: "/home/ada/.config/parlance",
  });
  const named = { HOME: "/home/ada", XDG_CACHE_HOME: "/cache", XDG_CONFIG_HOME: "relative" };
  expect(userFolders(named, "linux")).toEqual({ cache: "/cache/parlance", config: "/home/ada/.config/parlance" });
});

test("macOS and Windows have folders of their own", () => {
  expect(userFolders({ HOME: "/Users/ada" }, "darwin").cache).toBe("/Users/ada/Library/Caches/parlance");
  const windows = { LOCALAPPDATA: "/c/Local", APPDATA: "/c/Roaming", USERPROFILE: "/c/ada" };
  expect(userFolders(windows, "win32")).toEqual({ cache: "/c/Local/parlance", config: "/c/Roaming/parlance" });
});

test("without a home directory there are none", () => {
  expect(userFolders({}, "linux")).toEqual({ cache: "", config: "" });
});
