// Messages of the error catalogue (src/platform/errors) that pages can show, by code. A code with a suffix is another wording of the
// same error. Forms of messages: read-message.ts.

/** Requests, accounts, storage and processes. */
export const SERVICE_PROBLEMS = {
  "request.invalid": "Invalid parameter(s). See validation_errors for more details.",
  "request.malformed": "The request body could not be read: {reason&}",
  "request.not_found": "{what$} not found",
  "request.not_found.job": "Job not found",
  "request.not_found.note": "Note not found",
  "request.not_found.key": "Key not found",
  "request.not_found.voice": "Voice not found",
  "request.not_found.word": "Word of the vocabulary not found",
  "request.not_found.vocabulary_list": "Vocabulary list not found",
  "request.not_found.audio": "Audio of this job not found",
  "request.not_found.correction": "Correction that could be undone not found",
  "request.other_page":
    "The request comes from a page of another origin. Only pages of this service and of PARLANCE_CORS_ORIGINS may send requests without a key in a header (a key in the address counts as none); only the console may sign in",
  "request.foreign_host":
    "The host {host} is not one of this service. Set PARLANCE_PUBLIC_URL or PARLANCE_ALLOWED_HOSTS to the name under which it is reached, or send a key in a header",
  "request.too_large": "The body is larger than the {megabytes#} MB allowed",
  "request.too_large.unknown": "The body is larger than allowed",
  "request.body_too_slow":
    "The request body arrives too slowly: at least {bytes#} bytes every {seconds#} seconds are required",
  "account.key_missing": "No key was sent. Send it in the header {header}, or as authorization: Bearer KEY",
  "account.key_unknown": "This key is unknown or revoked",
  "account.too_many_guesses":
    "Too many wrong keys were sent from this address or network; wait {seconds#} seconds. Keys that were right before are still accepted.",
  "account.not_operator": "Only keys of the default account may read or change what belongs to the whole service",
  "limit.keys": "This account has reached its limit of {most#} keys; revoke one first",
  "limit.queued_jobs": "{limit#} jobs of this account are already waiting",
  "limit.event_streams": "This process already has {limit#} event streams of this account; close one first",
  "limit.requests": "This account may send {limit#} requests a second",
  "callbacks.header_locked":
    "The value of webhook_auth_header_value cannot be opened, so this webhook cannot be sent. The operator must set the PARLANCE_SECRETS_KEY that sealed it, or set it as PARLANCE_SECRETS_KEY_PREVIOUS",
  "callbacks.secrets_locked":
    "The callback secret of this account cannot be opened, so its callbacks wait. The operator must set the PARLANCE_SECRETS_KEY that sealed it; if that key is lost, make a new secret with POST /v2/account/callback-secret",
  "callback.failed": "The callback could not be sent: {reason&}",
  "storage.full":
    "There is no room left on the disk, or it can take no more files (df -h, df -i). Delete jobs, set PARLANCE_AUDIO_RETENTION_DAYS, or make room; the service resumes automatically.",
  "storage.full.free":
    "There is no room left on the disk of the service's data: {free#} MB are free. Delete jobs, set PARLANCE_AUDIO_RETENTION_DAYS, or make room on that disk; requests are accepted again as soon as there is room.",
  "storage.full.reserved":
    "There is no room left on the disk of the service's data: {free#} MB are free, {reserved#} MB are kept back. Delete jobs, set PARLANCE_AUDIO_RETENTION_DAYS, or make room on that disk; requests are accepted again as soon as there is room.",
  "storage.unavailable": "The store of recordings and transcripts does not answer; try again in a moment",
  "storage.recording_damaged":
    "The stored recording is damaged: it has {found#} of {expected#} bytes. Restore it from a backup, or upload it again.",
  "system.exhausted":
    "The machine has no more file descriptors, memory or processes for this service; try again in a moment. Where it happens often, raise the limits (ulimit -n, ulimit -u, the container's memory)",
  "database.unavailable": "The database does not answer; try again in a moment",
  "database.value": "A value of this request cannot be stored: {reason}",
  "process.died": "The {process} process ended unexpectedly ({reason})",
  "process.bystander": "The {process} process ended while it processed another task",
  "process.timeout": "The {process} process did not answer within {seconds#} s",
  "process.timeout.start": "The {process} process could not be started: {reason}",
  "process.failed": "The {process} process failed; the log has the reason",
  "recognition.queue_full": "The recogniser's queue is full",
  "work.aborted": "The work was stopped",
  internal: "Something went wrong on our side; the log has the reason under this request id",
  "internal.hidden": "The service failed on this; its log has the reason",
  "service.not_ready": "The service cannot take requests: {reason&}",
} as const;

/** Files, uploads and addresses of recordings. */
export const RECORDING_PROBLEMS = {
  "file.in_use": "A job that has not ended needs this file. Wait for its end, or delete the job",
  "file.unknown": "audio_url names an uploaded file that does not exist; upload it again",
  "file.too_large": "The file is larger than the {megabytes#} MB allowed",
  "media.not_decodable": "The file cannot be decoded as audio or video: {reason&}",
  "media.encrypted":
    "The file's audio is encrypted ({scheme}). Use a recording without copy protection, or decrypt the file before sending it",
  "media.empty": "The file is empty: it holds no bytes",
  "media.no_audio_track": "The file holds no audio track",
  "media.no_such_track": [
    "audio_track is {requested#}, but the file has 1 audio track: {tracks}",
    "audio_track is {requested#}, but the file has {count#} audio tracks: {tracks}",
  ],
  "media.empty_range": "audio_range contains no audio: it starts at {start#} s, and the recording ends at {end#} s",
  "media.empty_range.part": "audio_range contains no audio: the recording has none from {start#} to {end#} s",
  "media.no_audio": "The file's audio track holds no samples",
  "media.too_long": "The audio is longer than the {minutes#} minutes allowed",
  "media.time_limit":
    "Decoding was stopped after {spent#} s: only {decoded#} s of the file's audio were decoded by then",
  "decode.queue_full": "Too many uploaded files wait to be read; try again in a moment",
  "fetch.address_not_allowed": "The address is not allowed: {reason&}",
  "fetch.unauthorized":
    "audio_url cannot be fetched without signing in: its host answered 401. Check the user name and password in the address, use one that carries its permission, such as a signed one, or upload the file",
  "fetch.forbidden":
    "audio_url must not be fetched: its host answered 403. The file is private, or the address has expired; sign it again, or upload the file",
  "fetch.not_found": "Nothing to fetch at audio_url: its host answered 404. Check the address",
  "fetch.gone": "The file at audio_url was removed for good: its host answered 410",
  "fetch.rate_limited": "The host of audio_url currently refuses further requests: it answered 429",
  "fetch.rate_limited.pause":
    "The host of audio_url currently refuses further requests: it answered 429 and requests a pause of {seconds#} s",
  "fetch.failed": "audio_url could not be fetched: {reason&}",
  "fetch.given_up": ["{problem&} (given up after 1 attempt)", "{problem&} (given up after {attempts#} attempts)"],
  "fetch.given_up.pause": [
    "{problem&} (given up after 1 attempt; the pause of {seconds#} s that it requests is too long to wait)",
    "{problem&} (given up after {attempts#} attempts; the pause of {seconds#} s that it requests is too long to wait)",
  ],
  "fetch.queue_full": "Too many addresses of this account wait to be fetched; try again in a moment",
  "upload.wrong_offset":
    "Upload-Offset is {given#}, but {stored#} bytes are stored. Ask for the offset with HEAD, and continue there",
  "upload.taken_over": "A newer request continues or ends this upload. Ask for its offset with HEAD",
  "upload.beyond_length":
    "The body goes beyond the {bytes#} bytes that Upload-Length announced; nothing of what follows them is stored",
  "upload.expired": "This upload has expired: no byte came for too long. Begin a new one",
  "upload.checksum_differs":
    "The bytes that arrived have another {algorithm} checksum than Upload-Checksum; they are not stored. Send them again",
  "limit.uploads":
    "{limit#} uploads of this account are unfinished. Finish or delete some; those that get no more bytes expire",
  "limit.upload_bytes":
    "Unfinished uploads of this account may have {megabytes#} MB together. Finish or delete some; those that get no more bytes expire",
  "limit.upload_parts": "This upload came in {limit#} pieces, which is the most. Begin a new one with larger pieces",
  "upload.completing": "Every byte is stored, and the file is being checked; ask again in a moment",
} as const;

/** Jobs, their transcripts, the vocabulary and voices. */
export const TRANSCRIPT_PROBLEMS = {
  "job.not_finished":
    "The job is {status}; only a job that is done or failed can be deleted. Add ?cancel=true to cancel it first.",
  "job.no_transcript": "The job is {status}; there is a transcript once it is done",
  "job.no_transcript.expired": "The transcript of this job is gone: it was older than results are kept",
  "job.fills_disk":
    "This recording takes more room on the disk while it is transcribed than is free there: 115 MB an hour and channel. Make room, or send it in parts.",
  "job.poisoned":
    'This recording ended its worker process three times in the stage "{stage}" and has failed. The last time: {reason&}. The file may be damaged.',
  "job.interrupted": "This job was interrupted repeatedly without progress and has failed",
  "job.not_ended": "The service could not store the end of this job; its log has the reason",
  "job.result_damaged": [
    "The stored transcript of this job is damaged and cannot be made again. Its recording is there: download it and submit it as a new job.",
    "The stored transcript of this job is damaged and cannot be made again from a live session. Its recording is there: download it and submit it as a new job.",
  ],
  "job.result_damaged.whole": [
    "The stored transcript of this job is damaged and cannot be made again. Its recording is missing or damaged.",
    "The stored transcript of this job is damaged and cannot be made again from a live session. Its recording is missing or damaged.",
  ],
  "job.result_remade":
    "The stored transcript of this job was damaged; the job is transcribed again. Try again once it is done",
  "transcripts.queue_full": "Too many transcripts wait to be written; try again in a moment",
  "limit.corrections":
    "This transcript has reached the limit of corrections: {most#}, undone ones included, with {characters#} characters together",
  "correction.outdated":
    "The transcript was corrected meanwhile: the change was made for version {expected#}, and version {version#} is current. Read the corrections again, then send the change with the current version",
  "limit.tags": "A job has at most {most#} tags; it would have {count#}. Remove some first",
  "limit.notes": "This transcript has {most#} notes, as many as it may have; delete one first",
  "limit.shares": "This transcript has {most#} links, as many as it may have; revoke one first",
  "share.unavailable":
    "This link opens no transcript: it is incomplete, has expired or was revoked, or the transcript was deleted. Ask for a new link",
  "note.outdated":
    "The note was changed meanwhile: the change was made for version {expected#}, and version {version#} is current. Read the notes again, then send the change with the current version",
  "limit.vocabulary":
    "The vocabulary of this account would have more than {most#} words, or more than {forms#} words and pronunciations together. Remove some first",
  "limit.vocabulary_lists": "This account has {most#} vocabulary lists, as many as it may have; delete one first",
  "vocabulary_list.name_taken":
    "There is a vocabulary list named {name} already; change that one, or choose another name",
  "vocabulary_list.outdated":
    "The vocabulary list has changed: the request is for version {expected#}, but the current version is {version#}. Read the list again, then send the change with the current version",
  "vocabulary_list.unknown":
    "vocabulary_lists names a list that this account does not have: {name}. GET /v2/vocabulary-lists has those that there are",
  "stretches.no_audio":
    "The audio of this job is gone: it was deleted, or it was older than audio is kept. Without it, no stretch is recognised again",
  "stretches.redacted":
    "Personal data was redacted from this transcript. Its audio is not recognised again, because the answer could contain that data",
  "stretches.busy":
    "Too many stretches wait to be recognised again (at most {account#} of one account, {all#} of all); try again in a moment",
  "add_ons.running": "Add-ons are being made for this transcript; request others once they are done",
  "add_ons.no_audio":
    "The audio of this job is gone: it was deleted, or it was older than audio is kept. Without it, no speakers are found; other add-ons can be made",
  "add_ons.speakers_corrected":
    "People have corrected the speakers of this transcript. Send replace_speakers: true to replace them; undoing the correction with the new speakers brings the former ones back",
  "add_ons.outdated": "The transcript was deleted or made again while its add-ons were made; request them again",
  "add_ons.failed": "Not made: {names}. {reason&}",
  "redaction.unavailable": "{reason&}. The unredacted text is not returned",
  "voices.off":
    'The library of voices of this account is off. Voice prints are biometric data: turn it on with PUT /v2/voices/settings and {"enabled": true}',
  "voices.no_key":
    "Voices are stored only encrypted, and this service has no key for that. The operator must set PARLANCE_SECRETS_KEY",
  "voices.locked":
    'The voices of this account cannot be opened. The operator must set the PARLANCE_SECRETS_KEY that sealed them; if that key is lost, delete them with PUT /v2/voices/settings and {"enabled": false, "delete_voices": true}',
  "voices.stored": "The library has {count#} voices, which turning it off deletes. Send delete_voices: true to do so",
  "voices.name_taken": "There is a voice named {name} already; add a sample to it, or choose another name",
  "limit.voices": "This account has {most#} voices, as many as it may have; delete one first",
  "limit.voice_samples": "A voice has at most {most#} samples",
  "voices.refused": "The recording cannot be used as the voice of a person: {reason&}",
  "voices.no_model": "Voices need the speaker model {model}, which is not installed and could not be fetched",
  "voices.no_model.unset": "Voices need a speaker model, and PARLANCE_SPEAKER_MODEL names none",
  "voices.audio_gone": "The recording of this job was deleted; send a recording of the person instead",
} as const;

/** Live sessions, models of speech, and the language model. */
export const MODEL_PROBLEMS = {
  "limit.live_sessions": "{limit#} live sessions run already",
  "limit.live_sessions.account": "{limit#} live sessions of this account run already",
  "limit.live_connections": "{limit#} live connections of this account are being opened already; try again in a moment",
  "service.overloaded":
    "There is no capacity for another live session: at most {most#} can be served at present. Try again later",
  "live.log_lost": "This process no longer owns the live session",
  "live.unused": "No client connected to the session before its token expired",
  "live.audio_unreadable": "The audio of the live session cannot be read: {reason&}",
  "live.source_refused": "The source cannot be read: {reason&}",
  "live.source_failed": "The source could not be read: {reason&}",
  "live.source_absent": "The source could not be found: {reason&}",
  "live.source_decoder_lost": "The source could not be read: its audio made the decoder crash or hang",
  "limit.viewers": "{limit#} viewers of this session are connected to this process; try again when one has left",
  "live.without_viewers": "The captions of this session are not kept for viewers: create it with captions: true",
  "live.failed": "The service failed on this session; its log has the reason",
  "recognition.language_unavailable":
    "No installed model recognises {languages}; installed models support {installed}. {remedy&}",
  "recognition.language_unavailable.model":
    "The model {model} does not know {languages}, only {known}. Leave model out, or name one that supports it; {command} models list shows them.",
  "recognition.not_english": [
    'The speech is not in English, and no installed model recognises other languages. Add a model that does: {command}. If it is English, name it: language_config.languages ["en"]',
    'The speech is not in English, and no installed model recognises other languages. Add a model that does: {command}. If it is English, name it: language_config.languages ["en"]. {causes&}',
  ],
  "recognition.not_english.fetch":
    "The speech is not in English, and no installed model recognises other languages. The model {model} could not be fetched; the log has the reason. {remedy&}",
  "recognition.language_undetected":
    "The language cannot be detected: the installed models recognise English alone, and the speech may be in another language. Add a model that detects languages: {command}",
  "recognition.no_speech": "The language cannot be detected: no speech was found in the beginning of the recording",
  "models.missing": "The model {model} is not installed. {remedy&}",
  "models.on_its_way":
    "The model {model}, which this language needs, is being fetched ({progress}); try again when it is complete",
  "models.unknown": 'There is no model "{model}". {hint&}',
  "models.fetch_failed":
    "{address$} could not be fetched: {reason&}. What was fetched is kept: repeat the command to resume. {remedy&}",
  "models.refused": "{address$} answered {status#}: it requires a token that may read it; set PARLANCE_MODELS_TOKEN",
  "models.refused.missing": "{address$} answered {status#}: there is no such file; is the name right?",
  "models.wrong_hash": "{file$} differs from the file on the hub (SHA-256); it was deleted. Try again.",
  "models.no_space":
    "The model needs {needed#} MB and the disk of the models has {free#} MB free. Make room, or set PARLANCE_MODELS_DIR to a folder on another disk.",
  "models.damaged": "The model {model} is damaged: {problems}. Run: {command}",
  "models.built_in": "The model {model} comes with the program and cannot be removed",
  "language_model.configured": "The language model is set by PARLANCE_LLM_URL; change that setting to use another one",
  "language_model.one_process":
    "Only this process would use the language model, because PARLANCE_ROLES divides the service into several. Set PARLANCE_LLM_URL and PARLANCE_LLM_MODEL for each of them",
  "language_model.memory":
    "The language model {model} needs {needed#} MB of memory and {free#} MB are free. Set PARLANCE_LANGUAGE_MODEL to a smaller one ({command}), or give the service more memory.",
  "language_model.unavailable":
    "Language models need the package {package}, which is not installed or does not run here. Run npm ci without --omit=optional on this platform, or set PARLANCE_LLM_URL to a server.",
  "language_model.damaged": "The language model {model} cannot be loaded: {reason}. Check it: {command}",
  "language_model.removed": "The language model was removed or cannot be read. Add it again: {command}",
  "language_model.too_long":
    "The question needs {needed#} tokens with its answer, and the language model has room for {room#}. Shorten the prompt, or use a model with a longer context.",
  "language_model.failed": "The language model failed while it wrote an answer",
  "questions.unavailable": "Not available: {reason&}",
  "questions.failed": "No answer: {reason&}",
  "questions.busy":
    "Too many questions wait for an answer (at most {account#} of one account, {all#} of all); try again later",
  "language_model.not_installed":
    "The answer needs the language model {model}, which is not installed. Its download of {size#} MB begins if the question allows it: fetch_model: true",
  "language_model.not_installed.unsized":
    "The answer needs the language model {model}, which is not installed. Its download begins if the question allows it: fetch_model: true",
  "language_model.on_its_way": "The language model {model} is being fetched ({progress}); ask again then",
  "language_model.busy":
    "Too many requests wait for the language model (at most {account#} of one account, {all#} of all); try again later",
} as const;
