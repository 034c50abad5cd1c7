// Makes the files of an embedded database and ends: in a process of its own, because this takes 500 MB of memory that a
// process which goes on would keep. Without a folder it prepares a new database as one file beside the compiled code, as
// the build does: unpacking that takes a third of the time.
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { packageFolder } from "../../onnx/package-folder.ts";

const { version } = JSON.parse(
  await readFile(path.join(packageFolder("@electric-sql/pglite"), "package.json"), "utf8"),
);
/** Another version of the engine may read other files. */
const prepared = fileURLToPath(new URL(`../../new-database-${version}.tar.gz`, import.meta.url));

async function prepare(): Promise<void> {
  if (existsSync(prepared)) return;
  const database = await PGlite.create();
  const file = await database.dumpDataDir("gzip");
  await database.close();
  await writeFile(`${prepared}.part`, Buffer.from(await file.arrayBuffer()));
  await rename(`${prepared}.part`, prepared);
}

async function make(folder: string): Promise<void> {
  const file = await readFile(prepared).catch(() => undefined);
  const database = await PGlite.create(folder, file ? { loadDataDir: new Blob([file]) } : {});
  await database.close();
}

const [folder] = process.argv.slice(2);
await (folder === undefined ? prepare() : make(folder));
