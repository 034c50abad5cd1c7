// The event `info`: the installed models and their languages, from which Home Assistant builds its choice of languages.
import type { WyomingAttribution, WyomingEvent } from "../../../../contract/wyoming.ts";
import type { InstalledModel } from "../../../models/store.ts";

/** Name that `select-program` may give. */
export const PROGRAM = "Parlance";
const HUB = /^hf:([\w.-]+)\/([\w.-]+)$/;

function attributionOf({ engine, manifest }: InstalledModel): WyomingAttribution {
  const [, owner, name] = HUB.exec(manifest?.source ?? "") ?? [];
  if (owner === undefined) return { name: engine, url: "" };
  return { name: owner, url: `https://huggingface.co/${owner}/${name}` };
}

/** @param models  installed models that recognise speech @param version  of this service */
export function infoOf(models: readonly InstalledModel[], version: string): WyomingEvent {
  return {
    type: "info",
    data: {
      asr: [
        {
          name: PROGRAM,
          description: "Parlance speech transcription",
          attribution: { name: PROGRAM, url: "" },
          installed: true,
          version,
          models: models.map((model) => ({
            name: model.id,
            description: `${model.id} (${model.engine})`,
            attribution: attributionOf(model),
            installed: true,
            version: model.manifest?.revision ?? null,
            languages: [...model.languages],
          })),
          supports_transcript_streaming: true,
          requires_external_vad: true,
          prefers_auto_gain_enabled: false,
          prefers_noise_reduction_enabled: false,
        },
      ],
      tts: [],
      handle: [],
      intent: [],
      wake: [],
      mic: [],
      snd: [],
    },
  };
}
