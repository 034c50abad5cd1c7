// Computes voices of recordings for the library and for requests. A service process without recognisers starts one inference process for
// this.
import { errors, toParlanceError } from "../../platform/errors.ts";
import { mustWait } from "../../platform/storage/when-possible.ts";
import type { TaskOptions } from "../inference/pool.ts";
import type { ModelStore } from "../models/store.ts";
import type { ModelSupply } from "../models/supply.ts";
import type { SpokenStretch } from "../transcripts/spoken-stretches.ts";
import {
  type DecodingServices,
  type EnrolmentFile,
  MOST_ENROLMENT_SECONDS,
  stretchesOfRecording,
  wholeRecording,
} from "./enrolment-audio.ts";
import { extractVoice, type VoiceNetworks } from "./extract-voice.ts";
import type { ModelVoice } from "./library.ts";

export interface EnrollerServices extends DecodingServices {
  /** Starts the inference process, unless it runs. */
  networks(): Promise<VoiceNetworks>;
  models: ModelStore;
  supply: ModelSupply;
  mayFetch: boolean;
  /** Id of the speaker model; empty for none. */
  speakerModel: string;
}

type Source = Omit<EnrolmentFile, "maximumSeconds">;

export class Enroller {
  constructor(private readonly services: EnrollerServices) {}

  /**
   * The voice of a recording of one person, up to MOST_ENROLMENT_SECONDS long.
   * @param leastSeconds  of speech; LEAST_ENROLMENT_SECONDS if left out
   * @throws voices.refused, voices.no_model, media.too_long, media.not_decodable, work.aborted
   */
  async ofRecording(source: Source, leastSeconds?: number): Promise<ModelVoice> {
    const samples = await wholeRecording({ ...source, maximumSeconds: MOST_ENROLMENT_SECONDS }, this.services).catch(
      (thrown: unknown) => {
        if (toParlanceError(thrown).code !== "media.too_long") throw thrown;
        throw errors.voiceRefused(`it is longer than ${MOST_ENROLMENT_SECONDS} s; send 10 s of the person alone`);
      },
    );
    return this.voiceOf(samples, await this.model(), source, leastSeconds);
  }

  /**
   * The voice of a speaker in a recording of several.
   * @param stretches  in which this speaker is alone
   * @throws as ofRecording
   */
  async ofStretches(source: EnrolmentFile, stretches: readonly SpokenStretch[]): Promise<ModelVoice> {
    const model = await this.model();
    return this.voiceOf(await stretchesOfRecording(source, stretches, this.services), model, source);
  }

  private async voiceOf(
    samples: Float32Array,
    model: string,
    { tenant, signal }: Source,
    leastSeconds?: number,
  ): Promise<ModelVoice> {
    const options: TaskOptions = { priority: "recorded", tenant, signal };
    const networks = await this.services.networks();
    return { ...(await extractVoice(samples, model, networks, options, leastSeconds)), model };
  }

  /** @throws voices.no_model */
  private async model(): Promise<string> {
    const { models, supply, mayFetch, speakerModel } = this.services;
    if (speakerModel === "") throw errors.voicesNeedModel("");
    if (await models.findSpeakerModel(speakerModel)) return speakerModel;
    if (mayFetch)
      await supply.ensure(speakerModel).catch((thrown: unknown) => {
        if (mustWait(thrown)) throw thrown;
      });
    if (await models.findSpeakerModel(speakerModel)) return speakerModel;
    throw errors.voicesNeedModel(speakerModel);
  }
}
