// The library of voices: people, samples of their voices, settings.
import type { Static } from "typebox";
import * as Type from "typebox";
import { DateTime, FilePart, Name } from "./fields.ts";

export const MOST_PERSON_NAME_CHARACTERS = 100;
export const HIGHEST_SPEAKER = 999;
/** Length of the list of utterances from which one sample is made. */
export const MOST_UTTERANCES = 1_000;

const PersonName = () =>
  Type.String({ minLength: 1, maxLength: MOST_PERSON_NAME_CHARACTERS, description: "Of the person" });

export const VoiceBody = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    name: Type.String(),
    created_at: DateTime(),
    samples: Type.Array(
      Type.Object({
        id: Type.String({ format: "uuid" }),
        created_at: DateTime(),
        seconds: Type.Number({ description: "Of speech" }),
        model: Type.String({ description: "Speaker model that computed it" }),
      }),
    ),
  },
  { title: "Voice" },
);
export type Voice = Static<typeof VoiceBody>;

export const VoicesBody = Type.Object({ items: Type.Array(VoiceBody) }, { title: "Voices" });
export type Voices = Static<typeof VoicesBody>;
export const VoiceParams = Type.Object({ id: Name() });
export const VoiceRename = Type.Object({ name: PersonName() }, { title: "VoiceRename" });
export const VoiceMerge = Type.Object(
  { voice_id: Name({ description: "The voice that becomes part of this one, and is deleted" }) },
  { title: "VoiceMerge" },
);

const ofJob = {
  job_id: Name({ description: "A finished job whose recording still exists" }),
  speaker: Type.Optional(
    Type.Integer({ minimum: 0, maximum: HIGHEST_SPEAKER, description: "A speaker of its transcript" }),
  ),
  utterances: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0 }), {
      minItems: 1,
      maxItems: MOST_UTTERANCES,
      description: "Indexes of utterances of its recognised transcript, in place of speaker",
    }),
  ),
};
const Audio = () => FilePart({ description: "10 s or more of this person alone; a part named file is accepted, too" });

export const SampleOfJob = Type.Object(ofJob, { title: "VoiceSampleOfJob" });
export type SampleOfJob = Static<typeof SampleOfJob>;
/** A part of a transcript in which one person speaks. */
export type JobPart = Required<Pick<SampleOfJob, "speaker">> | Required<Pick<SampleOfJob, "utterances">>;
export const VoiceOfJob = Type.Object({ name: PersonName(), ...ofJob }, { title: "VoiceOfJob" });
export type VoiceOfJob = Static<typeof VoiceOfJob>;
export const SampleForm = Type.Object({ audio: Audio() }, { title: "VoiceSampleForm" });
export const VoiceForm = Type.Object({ name: PersonName(), audio: Audio() }, { title: "VoiceForm" });

export const VoiceSettings = Type.Object({ enabled: Type.Boolean() }, { title: "VoiceSettings" });
export type VoiceSettings = Static<typeof VoiceSettings>;
export const VoiceSettingsChange = Type.Object(
  {
    enabled: Type.Boolean(),
    delete_voices: Type.Optional(
      Type.Boolean({ description: "With enabled: false, confirms that all voices and their names are deleted" }),
    ),
  },
  { title: "VoiceSettingsChange" },
);

export const VoiceExport = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        id: Type.String({ format: "uuid" }),
        name: Type.String(),
        created_at: DateTime(),
        samples: Type.Array(
          Type.Object({
            created_at: DateTime(),
            seconds: Type.Number(),
            model: Type.String(),
            print: Type.Array(Type.Number(), { description: "The voice print, of unit length" }),
          }),
        ),
      }),
    ),
  },
  { title: "VoiceExport" },
);
export type VoiceExport = Static<typeof VoiceExport>;
