// Loads the vocabulary of a model: the runtime supports its architecture. A process of its own, because a damaged file may end it.
import { readdir } from "node:fs/promises";
import path from "node:path";
import { checkVocabulary } from "../../language-model/process/runtime.ts";

const [, , folder = ""] = process.argv;
const [file = ""] = (await readdir(folder)).filter((name) => name.toLowerCase().endsWith(".gguf"));
try {
  await checkVocabulary(path.join(folder, file));
  process.exit(0);
} catch (thrown) {
  process.stderr.write(`${(thrown as Error).message}\n`);
  process.exit(1);
}
