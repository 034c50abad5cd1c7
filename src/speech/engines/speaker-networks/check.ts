// Loads the networks of the folder in its argument and runs each of them once. A process of its own, because a damaged file may end it.
import { WINDOW_SAMPLES } from "../../speakers/speaker-networks.ts";
import { loadSpeakerNetworks } from "./load.ts";

const [, , folder = ""] = process.argv;
const networks = await loadSpeakerNetworks(folder);
const samples = Float32Array.from({ length: WINDOW_SAMPLES }, (_, at) => 0.1 * Math.sin(at / 8));
await networks.segment(samples, 1);
await networks.segment(samples, 2);
await networks.voices([samples], [[{ start: 0, end: WINDOW_SAMPLES / 4 }]]);
