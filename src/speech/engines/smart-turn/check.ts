// Loads the network in the folder that its argument names, and runs it once. It runs in a process of its own, because a damaged file may end that process.
import { SAMPLE_RATE } from "../../audio/sample-rate.ts";
import { loadSmartTurn } from "./load.ts";

const [, , folder = ""] = process.argv;
const detector = await loadSmartTurn(folder);
await detector.judge(Float32Array.from({ length: SAMPLE_RATE }, (_, at) => 0.1 * Math.sin(at / 8)));
