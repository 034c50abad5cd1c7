// pyannote's segmentation 3.0: the probabilities of its classes for the frames of windows.
import type { InferenceSession } from "../../onnx/runtime.ts";
import { CLASS_SPEAKERS, STEP_SAMPLES, WINDOW_FRAMES, WINDOW_SAMPLES } from "../../speakers/speaker-networks.ts";
import { SEGMENTATION_FILE } from "./files.ts";
import { withIntegerLstm } from "./integer-lstm.ts";
import { type Floats, openNetwork, runNetwork } from "./run-network.ts";
import {
  type DividedSegmentation,
  dividedSegmentation,
  FILTER_OUTPUTS,
  FILTERS,
  filtered,
  WINDOW_VALUES,
  withoutMean,
  writeValues,
} from "./shared-filters.ts";

/** Windows that run together: two take 13 % less time than one after another; more gain nothing, as their values leave the cache. */
const WINDOWS_AT_ONCE = 2;

/** Input of the network: [windows, channels, length], of which `write` writes one window. */
interface WindowInput {
  channels: number;
  length: number;
  /** @param step  steps from the start of the samples to the window */
  write(step: number, target: Float32Array): void;
}

export class Segmentation {
  private constructor(
    /** Computes the classes, from samples or from the values of the filters. */
    private readonly network: InferenceSession,
    private readonly divided: DividedSegmentation | undefined,
    private readonly filters: InferenceSession | undefined,
  ) {}

  /**
   * @param isExact  as published; otherwise with integer weights, and with filters that windows share, which takes half the time
   * @throws Error if the bytes are no ONNX model
   */
  static async open(model: Uint8Array, isExact = false): Promise<Segmentation> {
    if (isExact) return new Segmentation(await openNetwork(model), undefined, undefined);
    const divided = await dividedSegmentation(model);
    const network = await openNetwork(withIntegerLstm(divided?.classes ?? model));
    return new Segmentation(network, divided, divided && (await openNetwork(divided.filters)));
  }

  /**
   * @param samples  from the start of the first window to the end of the last one
   * @param stride  steps between the windows
   * @param visit  receives log probabilities of windows, row-major [windows, WINDOW_FRAMES, classes], and the index of the first window
   * @throws Error if the model has another layout
   */
  async classes(
    samples: Float32Array,
    windows: number,
    stride: number,
    visit: (values: Float32Array, first: number) => void,
  ): Promise<void> {
    const { channels, length, write } = await this.inputOf(samples);
    const size = channels * length;
    const input = new Float32Array(Math.min(WINDOWS_AT_ONCE, windows) * size);
    for (let first = 0; first < windows; first += WINDOWS_AT_ONCE) {
      const count = Math.min(WINDOWS_AT_ONCE, windows - first);
      const own = input.subarray(0, count * size);
      for (let at = 0; at < count; at++) write((first + at) * stride, own.subarray(at * size, (at + 1) * size));
      const [output] = await runNetwork(this.network, SEGMENTATION_FILE, own, [count, channels, length]);
      const { values, dimensions } = output as Floats;
      if (values.length !== count * WINDOW_FRAMES * CLASS_SPEAKERS.length) {
        const wanted = `${count} x ${WINDOW_FRAMES} x ${CLASS_SPEAKERS.length}`;
        throw new Error(`${SEGMENTATION_FILE} returns ${dimensions.join(" x ")} values instead of ${wanted}`);
      }
      visit(values, first);
    }
  }

  private async inputOf(samples: Float32Array): Promise<WindowInput> {
    const { divided, filters } = this;
    if (!divided || !filters) {
      const write: WindowInput["write"] = (step, target) => {
        const start = step * STEP_SAMPLES;
        target.set(samples.subarray(start, start + WINDOW_SAMPLES));
      };
      return { channels: 1, length: WINDOW_SAMPLES, write };
    }
    const centred = withoutMean(samples);
    const shared = await filtered(centred, async (stretch) => {
      const dimensions = [1, 1, stretch.length];
      const found = await runNetwork(filters, SEGMENTATION_FILE, stretch, dimensions, FILTER_OUTPUTS);
      return found.map(({ values }) => values) as [Float32Array, Float32Array];
    });
    const write: WindowInput["write"] = (step, target) => writeValues(centred, shared, divided, step, target);
    return { channels: FILTERS, length: WINDOW_VALUES, write };
  }

  async release(): Promise<void> {
    await this.network.release();
    await this.filters?.release();
  }
}
