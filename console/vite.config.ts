import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const OUTPUT = path.resolve(import.meta.dirname, "../dist/console");
const TEXT_FILE = /\.(?:js|css|svg)$/;
/** Below this, headers outweigh what is saved. */
const LEAST_BYTES = 1_024;

/** Writes each file of text as .br and .gz, too: the service sends them to browsers that accept them. */
function compressedFiles(): Plugin {
  return {
    name: "compressed-files",
    apply: "build",
    async closeBundle() {
      const folder = path.join(OUTPUT, "assets");
      for (const name of (await readdir(folder)).filter((one) => TEXT_FILE.test(one))) {
        const file = path.join(folder, name);
        const content = await readFile(file);
        if (content.length < LEAST_BYTES) continue;
        await writeFile(`${file}.br`, await promisify(brotliCompress)(content));
        await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: zlib.Z_BEST_COMPRESSION }));
      }
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  // Files refer to each other by relative addresses: a reverse proxy may publish the console below a path.
  base: "./",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  plugins: [compressedFiles()],
  build: {
    outDir: OUTPUT,
    emptyOutDir: true,
    target: "es2022",
    // No inlined assets: the content security policy allows only the page's own files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // console/test/first-page.test.ts finds the files of a page in it.
    manifest: true,
  },
});
