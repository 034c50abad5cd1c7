import path from "node:path";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  // Files refer to each other by relative addresses: a reverse proxy may publish the console below a path.
  base: "./",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    outDir: path.resolve(import.meta.dirname, "../dist/console"),
    emptyOutDir: true,
    target: "es2022",
    // No inlined assets: the content security policy allows only the page's own files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
