import { defineConfig } from "vitest/config";

// Two cores and a recogniser process on each: test files run one after another, so that services do not compete.
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "console/test/**/*.test.ts"],
    globalSetup: ["test/build.ts"],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
