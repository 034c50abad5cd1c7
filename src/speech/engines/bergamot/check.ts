// Checks an installed translation model: loads it and translates one sentence. It runs in a separate process, because a damaged
// file makes the runtime end its process.
import { readdir } from "node:fs/promises";
import { TranslationRuntime } from "./runtime.ts";

const [, , folder = ""] = process.argv;
const runtime = await TranslationRuntime.start();
await runtime.load(folder, await readdir(folder));
const [text = ""] = runtime.translate([folder], ["Hello."]);
if (text.trim() === "") throw new Error("it translates nothing");
