// Loads the network of the folder in its argument and runs it once. A process of its own, because a damaged file may end it.
import { SAMPLE_RATE } from "../../audio/sample-rate.ts";
import { loadSmartTurn } from "./load.ts";

const [, , folder = ""] = process.argv;
const detector = await loadSmartTurn(folder);
await detector.judge(Float32Array.from({ length: SAMPLE_RATE }, (_, at) => 0.1 * Math.sin(at / 8)));
