// Loads a direction and translates a sentence with it: what is installed works. A process of its own, because the runtime ends it
// when a file is damaged.
import { readdir } from "node:fs/promises";
import { TranslationRuntime } from "./runtime.ts";

const [, , folder = ""] = process.argv;
const runtime = await TranslationRuntime.start();
await runtime.load(folder, await readdir(folder));
const [text = ""] = runtime.translate([folder], ["Hello."]);
if (text.trim() === "") throw new Error("it translates nothing");
