// Loads a prepared model and recognises a second of silence. A process of its own, because sherpa-onnx ends its process
// if it cannot run a model. Argument: the model's folder.
import { LAYOUTS } from "./layouts.ts";
import { openModel } from "./open.ts";

const [, , folder = ""] = process.argv;
const capabilities = LAYOUTS[0]?.capabilities;
if (!capabilities) throw new Error("no layout is known");
const recognizer = await openModel(folder, { languages: ["en"], capabilities });
await recognizer.recognize({ samples: new Float32Array(16_000) });
