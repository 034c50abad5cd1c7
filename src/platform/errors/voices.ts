// The library of voices.
import { ParlanceError } from "./parlance-error.ts";

export const voiceErrors = {
  voicesOff: () =>
    new ParlanceError(
      'The library of voices of this account is off. Voice prints are biometric data: turn it on with PUT /v2/voices/settings and {"enabled": true}',
      { code: "voices.off", status: 409 },
    ),
  voicesNeedKey: () =>
    new ParlanceError(
      "Voices are stored only encrypted, and this service has no key for that. The operator must set PARLANCE_SECRETS_KEY",
      { code: "voices.no_key", status: 409 },
    ),
  voicesLocked: () =>
    new ParlanceError(
      'The voices of this account cannot be opened. The operator must set the PARLANCE_SECRETS_KEY that sealed them; if that key is lost, delete them with PUT /v2/voices/settings and {"enabled": false, "delete_voices": true}',
      { code: "voices.locked", status: 503, retryable: true, retryAfterSeconds: 60 },
    ),
  voicesStored: (count: number) =>
    new ParlanceError(
      `The library has ${count} voices, which turning it off deletes. Send delete_voices: true to do so`,
      { code: "voices.stored", status: 409 },
    ),
  voiceNameTaken: (name: string) =>
    new ParlanceError(`There is a voice named ${name} already; add a sample to it, or choose another name`, {
      code: "voices.name_taken",
      status: 409,
    }),
  tooManyVoices: (most: number) =>
    new ParlanceError(`This account has ${most} voices, as many as it may have; delete one first`, {
      code: "limit.voices",
      status: 409,
    }),
  tooManyVoiceSamples: (most: number) =>
    new ParlanceError(`A voice has at most ${most} samples`, { code: "limit.voice_samples", status: 409 }),
  /** @param reason  continues "The recording cannot be used: " */
  voiceRefused: (reason: string) =>
    new ParlanceError(`The recording cannot be used as the voice of a person: ${reason}`, {
      code: "voices.refused",
      status: 422,
    }),
  voicesNeedModel: (model: string) =>
    new ParlanceError(
      model === ""
        ? "Voices need a speaker model, and PARLANCE_SPEAKER_MODEL names none"
        : `Voices need the speaker model ${model}, which is not installed and could not be fetched`,
      { code: "voices.no_model", status: 503, retryable: true, retryAfterSeconds: 60 },
    ),
  voiceAudioGone: () =>
    new ParlanceError("The recording of this job was deleted; send a recording of the person instead", {
      code: "voices.audio_gone",
      status: 409,
    }),
};
