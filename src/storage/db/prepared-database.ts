// A new database as the build made it: a first start copies it, in a tenth of the time that making one takes.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { packageFolder } from "../../onnx/package-folder.ts";
import { entryFile } from "../../process/entry.ts";

const FILES = "files";
/** Packages leave empty folders out. */
const FOLDERS = "folders.json";

/** Where it is, if there is one: beside the compiled code. Another version of the engine may read other files. */
export function preparedDatabase(): string {
  const { version } = JSON.parse(
    readFileSync(path.join(packageFolder("@electric-sql/pglite"), "package.json"), "utf8"),
  );
  const compiled = path.resolve(path.dirname(entryFile("./make-database.js", import.meta.url)), "../..");
  return path.join(compiled, `new-database-${version}`);
}

/** @param make  makes the files of a database in a folder */
export async function prepareDatabase(folder: string, make: (files: string) => Promise<void>): Promise<void> {
  const files = path.join(folder, FILES);
  mkdirSync(folder, { recursive: true });
  await make(files);
  const folders = readdirSync(files, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.relative(files, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));
  writeFileSync(path.join(folder, FOLDERS), JSON.stringify(folders));
}

/** @returns whether there was one */
export function copyPreparedDatabase(target: string): boolean {
  const folder = preparedDatabase();
  if (!existsSync(folder)) return false;
  const folders: string[] = JSON.parse(readFileSync(path.join(folder, FOLDERS), "utf8"));
  for (const name of folders) mkdirSync(path.join(target, name), { recursive: true });
  // Nothing else goes on meanwhile, and at once it takes a quarter of the time.
  cpSync(path.join(folder, FILES), target, { recursive: true });
  return true;
}
