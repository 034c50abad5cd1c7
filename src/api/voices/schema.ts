// Bodies of the library of voices.
import { Type } from "@sinclair/typebox";
import { Name } from "../../contract/fields.ts";
import type { Voice } from "../../voices/library.ts";
import { FilePart } from "../description/forms.ts";

export const MOST_NAME_CHARACTERS = 100;
export const HIGHEST_SPEAKER = 999;
export const MOST_UTTERANCES = 1_000;

/** Names appear in terminals and documents: control characters and marks that turn the direction of text are removed. */
const UNPRINTABLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;
export const cleanName = (name: string) => name.replace(UNPRINTABLE, " ").replace(/\s+/g, " ").trim();

const PersonName = () => Type.String({ minLength: 1, maxLength: MOST_NAME_CHARACTERS, description: "Of the person" });
const DateTime = () => Type.String({ format: "date-time" });

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

export const VoicesBody = Type.Object({ items: Type.Array(VoiceBody) }, { title: "Voices" });
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
export const VoiceOfJob = Type.Object({ name: PersonName(), ...ofJob }, { title: "VoiceOfJob" });
export const SampleForm = Type.Object({ audio: Audio() }, { title: "VoiceSampleForm" });
export const VoiceForm = Type.Object({ name: PersonName(), audio: Audio() }, { title: "VoiceForm" });

export const VoiceSettings = Type.Object({ enabled: Type.Boolean() }, { title: "VoiceSettings" });
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

const shownSeconds = (seconds: number) => Math.round(seconds * 10) / 10;

export const voiceBody = ({ id, name, createdAt, samples }: Voice) => ({
  id,
  name,
  created_at: createdAt.toISOString(),
  samples: samples.map((sample) => ({
    id: sample.id,
    created_at: sample.createdAt.toISOString(),
    seconds: shownSeconds(sample.seconds),
    model: sample.model,
  })),
});

export const voiceExport = ({ id, name, createdAt, samples }: Voice) => ({
  id,
  name,
  created_at: createdAt.toISOString(),
  samples: samples.map((sample) => ({
    created_at: sample.createdAt.toISOString(),
    seconds: shownSeconds(sample.seconds),
    model: sample.model,
    print: [...sample.print],
  })),
});
