// pyannote's segmentation 3.0: the probabilities of its classes for the frames of windows.

import { openedOrNone, openNetwork, runForFirst, runNetwork } from "../../onnx/run-network.ts";
import type { InferenceSession } from "../../onnx/runtime.ts";
import { CLASS_SPEAKERS, STEP_SAMPLES, WINDOW_FRAMES, WINDOW_SAMPLES } from "../../speakers/speaker-networks.ts";
import { SEGMENTATION_FILE } from "./files.ts";
import { withIntegerLstm } from "./integer-lstm.ts";
import {
  applyFilters,
  FILTER_OUTPUTS,
  FILTERS,
  prepared,
  splitSegmentation,
  WINDOW_POOLED_LENGTH,
  type WindowNormalization,
  writePooled,
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

/** The graph of filters, and the normalisation that is applied to its outputs. */
interface Filters {
  session: InferenceSession;
  normalization: WindowNormalization;
}

export class Segmentation {
  private constructor(
    /** Computes the classes, from samples or from the outputs of the filters. */
    private readonly network: InferenceSession,
    private readonly filters?: Filters,
  ) {}

  /**
   * @param isExact  as published, for the parity test; otherwise with integer LSTM weights and shared filters, which takes half the time
   * @throws Error if the bytes are no ONNX model
   */
  static async open(model: Uint8Array, isExact = false): Promise<Segmentation> {
    if (isExact) return new Segmentation(await openNetwork(model));
    const split = await splitSegmentation(model);
    const network = split && (await openedOrNone(withIntegerLstm(split.classes)));
    if (!split || !network) return new Segmentation(await openNetwork(withIntegerLstm(model)));
    return new Segmentation(network, {
      session: await openNetwork(split.filters),
      normalization: split.normalization,
    });
  }

  /**
   * @param samples  from the start of the first window to the end of the last one
   * @param stride  steps between the windows
   * @param visit  receives log probabilities of windows, row-major [windows, WINDOW_FRAMES, classes], and the index of the first window
   * @throws Error if the model has another layout
   */
  async classify(
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
      const batch = input.subarray(0, count * size);
      for (let at = 0; at < count; at++) write((first + at) * stride, batch.subarray(at * size, (at + 1) * size));
      const shape = [count, channels, length];
      const { values, dimensions } = await runForFirst(this.network, SEGMENTATION_FILE, batch, shape);
      if (values.length !== count * WINDOW_FRAMES * CLASS_SPEAKERS.length) {
        const wanted = `${count} x ${WINDOW_FRAMES} x ${CLASS_SPEAKERS.length}`;
        throw new Error(`${SEGMENTATION_FILE} returns ${dimensions.join(" x ")} values instead of ${wanted}`);
      }
      visit(values, first);
    }
  }

  private async inputOf(samples: Float32Array): Promise<WindowInput> {
    const { filters } = this;
    if (!filters) {
      const write: WindowInput["write"] = (step, target) => {
        const start = step * STEP_SAMPLES;
        target.set(samples.subarray(start, start + WINDOW_SAMPLES));
      };
      return { channels: 1, length: WINDOW_SAMPLES, write };
    }
    const centred = prepared(samples);
    const shared = await applyFilters(centred, async (stretch) => {
      const dimensions = [1, 1, stretch.length];
      const found = await runNetwork(filters.session, SEGMENTATION_FILE, stretch, dimensions, FILTER_OUTPUTS);
      return found.map(({ values }) => values) as [Float32Array, Float32Array];
    });
    const write: WindowInput["write"] = (step, target) =>
      writePooled(centred, shared, filters.normalization, step, target);
    return { channels: FILTERS, length: WINDOW_POOLED_LENGTH, write };
  }

  async release(): Promise<void> {
    await this.network.release();
    await this.filters?.session.release();
  }
}
