// Reasons inside of other messages, failures of add-ons, and faults of single fields. Forms of messages: read-message.ts.

/** Why a file, an address or a connection cannot be used. */
export const REASONS = {
  "media.damaged": "its audio is damaged or in an unknown encoding",
  "media.damaged_packets": "{damaged#} of the {count#} packets of its audio are damaged or encrypted",
  "media.document": "it is {document}, not a recording",
  "media.unknown_format": "its format is not known, or it is damaged or cut off",
  "media.unknown_format.encrypted":
    "its format is not known; its bytes look encrypted, as those of a protected segment of HLS",
  "media.no_index": 'its index (the box "moov") is missing: the recorder did not finish the file, or it is cut off',
  "media.decoder_ended": "it ended or stopped the decoder twice",
  "fetch.reason.unreachable": "its host could not be reached",
  "fetch.reason.slow": "its host was too slow",
  "fetch.reason.cut": "its host broke the answer off",
  "fetch.reason.no_address": "its host has no address",
  "fetch.reason.answered": "its host answered {status#}",
  "fetch.reason.private":
    "its host lies in a private network; the operator can allow private ones with PARLANCE_ALLOW_PRIVATE_ADDRESSES=true",
  "voices.reason.no_person": "this part of the transcript has no speech of one person",
  "voices.reason.no_speech": "no speech was found in it; record 10 s of the person alone",
  "voices.reason.noise": "it has music or noise, and hardly any speech; record 10 s of the person alone",
  "voices.reason.two_voices": "it has more than one voice ({own} s and {other$} s); record one person alone",
  "voices.reason.short":
    "it has {seconds#} s of speech of one person; at least {least#} s are needed, and 10 s are better",
  "voices.reason.unclear": "its sound is not that of one clear voice; record the person alone, without music or noise",
  "models.hint.known": "Known names: {names}",
  "models.hint.similar": "Similar: {names}. {rest&}",
  "models.hint.list":
    "{command} models list shows those that can be added by their name; others: hf:OWNER/NAME of a hub, hf:OWNER/NAME:FILE.gguf, a folder, or a GGUF file",
  "models.remedy.add": "Add it with: {command}",
  "models.remedy.language": "Add a model that does: {command}",
  "models.remedy.not_fetched": "It could not be fetched; the log has the reason. {remedy&}",
  "models.remedy.hub":
    "Behind a proxy, set HTTPS_PROXY; a mirror with the hub's layout: PARLANCE_MODELS_URL; without a network, copy the checkpoint here and run {command}",
  "models.optional.missing": [
    "the speaker model {model$} is not installed; the operator can add it: {command}",
    "the turn model {model$} is not installed; the operator can add it: {command}",
  ],
  "models.optional.not_fetched": [
    "the speaker model {model$} is not installed and could not be fetched ({reason&}); the operator can add it: {command}",
    "the turn model {model$} is not installed and could not be fetched ({reason&}); the operator can add it: {command}",
  ],
  "models.optional.none": [
    "{variable$} is empty; the operator can set it to the id of a speaker model",
    "{variable$} is empty; the operator can set it to the id of a turn model",
  ],
  "models.optional.other": [
    "{variable$} names {model$}, which is not a speaker model",
    "{variable$} names {model$}, which is not a turn model",
  ],
  "models.optional.failed": [
    "the speaker model {model$} failed; the log of the service has the reason",
    "the turn model {model$} failed; the log of the service has the reason",
  ],
  "models.optional.unread": "the installed models could not be read",
  "service.reason.stopping": "it is about to stop",
  "service.reason.no_recogniser": "no recogniser process runs",
  "service.reason.database": "the database does not answer",
} as const;

/** Failures of add-ons and of questions. */
export const ADDON_PROBLEMS = {
  "addon.needs_model":
    "{name$} needs a language model, and none is installed. Add one: {command}; or set PARLANCE_LLM_URL (and PARLANCE_LLM_MODEL) to an OpenAI-compatible server",
  "addon.needs_model.off":
    "{name$} needs a language model, and PARLANCE_LANGUAGE_MODEL is none. Set it to {model}; or set PARLANCE_LLM_URL (and PARLANCE_LLM_MODEL) to an OpenAI-compatible server",
  "addon.needs_model.missing":
    "{name$} needs a language model, and PARLANCE_LANGUAGE_MODEL is {model}, which is not installed. Add it: {command}; or set PARLANCE_LLM_URL (and PARLANCE_LLM_MODEL) to an OpenAI-compatible server",
  "addon.language": "{name$} works in {languages} here, and this is {spoken}",
  "addon.language.model":
    "{name$} works in {languages} here, and this is {spoken}; a language model supports other languages: set PARLANCE_LLM_URL, or add one ({command})",
  "addon.late": "{name$} did not end within {seconds#} s",
  "addon.late.process": "{name$} did not end; the transcript is complete without it",
  "addon.late.all": "The add-ons did not end in time; the transcript is complete",
  "addon.slow": "{name$} is too slow for this session",
  "addon.too_long": "The transcript is too long for the context of the language model",
  "addon.budget": "This would use more than the {tokens#} tokens that PARLANCE_LLM_MAX_TOKENS allows",
  "addon.no_text": "The language model answered without any text",
  "addon.wrong_form": "The language model did not answer in the requested form",
  "addon.unusable": "The language model's answer could not be used",
  "addon.model_stopped": "The language model stopped responding and was ended",
  "addon.model_ended": "The language-model process ended while it wrote an answer; the log has the reason",
  "addon.prompt":
    "The prompt has {tokens#} tokens, and the language model has room for {room#} with transcript and answer. Shorten the prompt, or use a model with a longer context.",
  "addon.server": "The {server} failed: {reason&}",
  "addon.no_chapter": "The language model named no chapter",
  "diarization.failed": "The speakers could not be distinguished; the transcript is complete without speakers",
  "translation.left_out": "The language model left out a part of the translation",
  "translation.late": "The translation did not end in time ({models})",
  "translation.failed": "The translation process failed. Check its model: {command} (in use: {models})",
  "translation.no_model": [
    "translation: no model for {pair} is installed. Add it: {command}; or set PARLANCE_LLM_URL to an OpenAI-compatible server or PARLANCE_TRANSLATE_URL to a LibreTranslate-compatible one",
    "translation: no model for {pair} is installed. Add it: {command}; or set PARLANCE_LLM_URL to an OpenAI-compatible server or PARLANCE_TRANSLATE_URL to a LibreTranslate-compatible one, or a multilingual Whisper model: {whisper}",
  ],
  "translation.not_published": [
    "translation: no translation model is published for {pair}; set PARLANCE_LLM_URL to an OpenAI-compatible server or PARLANCE_TRANSLATE_URL to a LibreTranslate-compatible one",
    "translation: no translation model is published for {pair}; set PARLANCE_LLM_URL to an OpenAI-compatible server or PARLANCE_TRANSLATE_URL to a LibreTranslate-compatible one, or a multilingual Whisper model: {whisper}",
  ],
  "questions.needs_model":
    "A question about a transcript needs a language model, and none is installed. Add one: {command}; or set PARLANCE_LLM_URL (and PARLANCE_LLM_MODEL) to an OpenAI-compatible server",
  "questions.needs_model.off":
    "A question about a transcript needs a language model, and PARLANCE_LANGUAGE_MODEL is none. Set it to {model}; or set PARLANCE_LLM_URL (and PARLANCE_LLM_MODEL) to an OpenAI-compatible server",
  "questions.needs_model.missing":
    "A question about a transcript needs a language model, and PARLANCE_LANGUAGE_MODEL is {model}, which is not installed. Add it: {command}; or set PARLANCE_LLM_URL (and PARLANCE_LLM_MODEL) to an OpenAI-compatible server",
  "questions.process_ended": "The process that writes the answer ended; ask again",
  "questions.late": "The answer took more than {seconds#} s",
  "questions.no_words": "The transcript has no words, so that no question can be answered",
} as const;

/** Faults of fields: each begins with the path of the field. */
export const FIELD_PROBLEMS = {
  "field.number": "{field$} must be a number conforming to the specified constraints",
  "field.integer": "{field$} must be an integer number",
  "field.web_address": "{field$} must be a URL address with http or https",
  "field.web_address.credentials": "{field$} must be a URL address without a user name or password",
  "field.web_address.encoding":
    "{field$} has a user name or password with a sign that must be percent-encoded: / is %2F, ? is %3F, # is %23, @ is %40 and \\ is %5C",
  "field.web_address.private":
    "{field$} must be a URL address in a public network; the operator can allow private ones with PARLANCE_ALLOW_PRIVATE_ADDRESSES=true",
  "field.one_of": "{field$} must be one of the following values: {values}",
  "field.one_of.given": "{field$} must be one of the following values: {values}; {given}",
  "field.only": "{field$} must only contain the following values: {values}",
  "field.only.given": "{field$} must only contain the following values: {values}; {given}",
  "field.required": "{field$} is required",
  "field.required.when": "{field$} is required when {switch$} is true",
  "field.not_part": "{field$} must not be sent: it is not a field of this request",
  "field.minimum": "{field$} must not be less than {limit#}",
  "field.maximum": "{field$} must not be greater than {limit#}",
  "field.order": "{field$} must not be greater than {other$}",
  "field.speakers":
    "{field$} must not be greater than {other$}: lower min_speakers, raise max_speakers, or leave one of them out",
  "field.few": "{field$} must contain at least {limit#} elements",
  "field.many": "{field$} must contain no more than {limit#} elements",
  "field.empty": "{field$} must not be empty",
  "field.long": "{field$} must be shorter than or equal to {limit#} characters",
  "field.visible": "{field$} must have a letter, a digit or a sign",
  "field.model": "{field$} must be one of the following values: {values}; it is {given}",
  "field.schema": "{field$} cannot be used: {reason}",
  "field.redaction": "{field$} has {type}, which is not an entity type",
  "field.redaction.rules":
    "{field$} has {type}: pii_redaction has no rules for this. List the types to redact, or add a language model",
  "field.cursor": "{field$} must be `next` of a page of the same list",
  "field.more": ["1 more problem is not listed", "{count#} more problems are not listed"],
  "vocabulary.pronunciations":
    "pronunciations of {word} would be {count#}, those that it has included; at most {most#} are possible",
  "stretch.order": "end must be greater than start; it is {end#}, and start is {start#}",
  "stretch.long": "end must be at most {most#} s after start; it is {seconds#} s after it",
  "note.order": "end must be at start ({start#}) or later; it is {end#}",
  "note.no_words": "channel {channel#} has no words between start {start#} and end {end#}",
  "correction.no_words":
    "utterances with index {index#} has no words between start {start} and end {end}; its words last from {first#} to {last#}",
  "correction.speaker": "{field$} must be one of the speakers {speakers}; it is {given}",
  "language_model.not_found":
    "url and model must name one of the language models that GET /v2/system/language-models finds",
} as const;
