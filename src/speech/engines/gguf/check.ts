// Loads the vocabulary of a model: the runtime supports its architecture. A process of its own, because a damaged file may end it.
import { readdir } from "node:fs/promises";
import path from "node:path";
import { checkVocabulary } from "../../language-model/process/runtime.ts";

const [, , folder = ""] = process.argv;
const [file = ""] = (await readdir(folder)).filter((name) => name.toLowerCase().endsWith(".gguf"));
await checkVocabulary(path.join(folder, file));
// The runtime's threads would keep the process.
process.exit(0);
