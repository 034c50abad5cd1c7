// When file descriptors run out while modules are loaded, Node reports that a package cannot be found.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { errors, type ParlanceError } from "../platform/errors.ts";

const NOT_FOUND = new Set(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"]);
const require = createRequire(import.meta.url);

/** Folder of a package. Node guesses the file in it when it cannot read the package's own description. */
const PACKAGE = /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/;

const isThere = (name: string) =>
  path.isAbsolute(name)
    ? existsSync(PACKAGE.exec(name)?.[0] ?? name)
    : (require.resolve.paths(name) ?? []).some((folder) => existsSync(path.join(folder, name)));

/** @returns the shortage, where a module that is installed was not found; undefined for other errors */
export function asUnreadModule(thrown: unknown): ParlanceError | undefined {
  const { code = "", message = "" } = (thrown ?? {}) as { code?: string; message?: string };
  const name = /^Cannot find (?:package|module) '([^']+)'/.exec(message)?.[1];
  return NOT_FOUND.has(code) && name !== undefined && isThere(name) ? errors.resourcesExhausted(thrown) : undefined;
}
