// Loads a prepared model and hears a moment of silence: sherpa-onnx ends its process on a model that it cannot run, so this
// is a process of its own. Started with the model's folder.
import { LAYOUTS } from "./layouts.ts";
import { openModel } from "./open.ts";

const [, , folder = ""] = process.argv;
const capabilities = LAYOUTS[0]?.capabilities;
if (!capabilities) throw new Error("no layout is known");
const recognizer = await openModel(folder, { languages: ["en"], capabilities });
await recognizer.recognize({ samples: new Float32Array(16_000) });
