import path from "node:path";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    outDir: path.resolve(import.meta.dirname, "../dist/console"),
    emptyOutDir: true,
    target: "es2022",
    // Nothing inline: the page's policy lets files of its own run, and nothing else.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
