// The networks of the speaker model, in the inference processes. The model is fetched on first need; calls wait for it.
import { errors } from "../../../platform/errors.ts";
import type { LiveNetworks } from "../../../speech/speakers/live-diarizer.ts";
import { fetchedSpeakerModel } from "../../models/speaker-model.ts";
import type { SpeakerServices } from "./speaker-services.ts";

export class ModelNetworks implements LiveNetworks {
  /** Id of the model; undefined until it is available. */
  model: string | undefined;
  private finding: Promise<void> | undefined;

  /** @param onMissing  called with the reason if there is no model */
  constructor(
    private readonly services: SpeakerServices,
    private readonly signal: AbortSignal,
    private readonly onMissing: (problem: string) => void,
  ) {}

  /** Starts to find or fetch the model. */
  prepare(): void {
    this.finding ??= this.find();
  }

  async segment(audio: Float32Array): Promise<Uint8Array> {
    const model = await this.found();
    return this.services.recognition.segmentSpeakers(model, { audio, windows: 1 }, this.taskOptions);
  }

  async voices(stretches: readonly Float32Array[]) {
    return this.services.recognition.voices(await this.found(), { stretches }, this.taskOptions);
  }

  private get taskOptions() {
    return { priority: "speakers" as const, tenant: this.services.accountId, signal: this.signal };
  }

  private async find(): Promise<void> {
    const found = await fetchedSpeakerModel(this.services).catch((error: unknown) => {
      this.services.logger.warn({ err: error }, "the installed speaker models could not be read");
      return { problem: "the installed models could not be read" };
    });
    if ("model" in found) this.model = found.model;
    else this.onMissing(found.problem);
  }

  /** @throws work.aborted without a model */
  private async found(): Promise<string> {
    await this.finding;
    if (this.model === undefined) throw errors.aborted();
    return this.model;
  }
}
