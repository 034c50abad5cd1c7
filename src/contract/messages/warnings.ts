// Warnings in results of jobs and live sessions, messages of live sessions, and reasons for their end. Forms of messages: read-message.ts.

export const RECORDING_WARNINGS = {
  "warning.truncated": "The file is truncated: it holds {held#} s of the {declared#} s of audio that it declares",
  "warning.damaged_packets": ["1 damaged packet was skipped", "{count#} damaged packets were skipped"],
  "warning.failed_reads": [
    "The file is damaged in 1 place that could not be read",
    "The file is damaged in {count#} places that could not be read",
  ],
  "warning.unreadable_end": "The file is damaged: what follows after {time#} s could not be read",
  "warning.gaps": [
    "The file holds no audio for {time#} s in 1 place, first at {first#} s; it counts as silence",
    "The file holds no audio for {time#} s in {count#} places, first at {first#} s; it counts as silence",
  ],
  "warning.skipped_part": "A part of the file could not be decoded and was skipped, at {time#} s",
  "warning.skipped_parts": ["1 further part was skipped", "{count#} further parts were skipped"],
  "warning.jumps": [
    "The timestamps jump ahead 1 time by more than the recording can last; the jumps were ignored",
    "The timestamps jump ahead {count#} times by more than the recording can last; the jumps were ignored",
  ],
  "warning.steps_back": [
    "The timestamps step back 1 time; times after that count on from the audio before",
    "The timestamps step back {count#} times; times after that count on from the audio before",
  ],
  "warning.timestamps": "The timestamps contradict each other; from {time#} s on they were ignored",
  "warning.unused_bytes": "{bytes#} bytes of the file, from byte {from#} on, were not used: {reason&}",
  "warning.unused_bytes.format": "its format does not continue there",
  "warning.unused_bytes.parts": "more than {most#} recordings",
  "warning.unused_bytes.page": "the file is cut off inside a page of Ogg",
  "warning.unused_bytes.box": "they are in no box of MP4 that holds audio",
  "warning.unused_bytes.zeros": "they are zeros, such as in a download that was interrupted",
  "warning.unlisted": "{unused#} of the {held#} bytes of media data were not used: the file's index does not list them",
  "warning.edited_out": "The edit list of the file leaves out {left#} s of the {whole#} s of its audio",
  "warning.fragments_back": [
    "The times of the file's fragments step back 1 time; times after that count on from the audio before",
    "The times of the file's fragments step back {count#} times; times after that count on from the audio before",
  ],
  "warning.stale_header":
    "The file's header states {declared#} bytes of audio, but {read#} bytes follow it; all of them were read",
  "warning.misstated": "The samples are declared as {stated}, but they are {likely}; they were read as such",
  "warning.misstated.section":
    "The samples are declared as {stated}, but from {from#} s to {end#} s they are {likely}; they were read as such",
  "warning.misstated.doubtful":
    "The samples are declared as {stated}, but they look like {likely}; they were read as declared",
  "warning.exchanged_channels": "The channels of the file may be exchanged where its samples are out of step",
  "warning.no_samples":
    "The samples are declared as {stated}, but the bytes look like {likely}; the words are probably wrong",
  "warning.above_scale": "The samples of the file go beyond full scale; they were divided by {factor#}",
  "warning.clipped_scale": "Some samples of the file go beyond full scale; they were clipped",
  "warning.low_scale": "The samples of the file are very quiet; they were multiplied by {factor#}",
  "warning.not_numbers": "Some samples of the file are not numbers; they count as silence",
  "warning.stale_tag":
    "The file's ID3 tag states {stated#} bytes, but its audio begins at byte {begin#}; all of it was read",
  "warning.truncated.bytes":
    "The file is truncated: its header states {declared#} bytes of audio, and it holds {held#}",
  "warning.doubled":
    "The recording has the same sound twice, the second time {seconds#} s later and about as loud, so words may be doubled or wrong: two devices or lines that carry the same sound were probably mixed; record one of them",
  "warning.leaks_of_many":
    "The recording has {channels#} channels with a source of their own. Speech that leaks from one into another is removed from at most {most#} channels, so it may be transcribed twice.",
  "warning.leaks":
    "Speech that leaks from one channel into another could not be removed, so it may be transcribed in both channels.",
  "warning.slow_speech": [
    "The speech of the recording is much too slow and low, so its words are probably wrong: the sampling rate of the audio is probably two or three times as high as the request or the file states",
    "The speech of the recording is much too slow and low, so its words are probably wrong: the sampling rate of the audio is probably two or three times as high as the request or the file states, or it has two channels",
  ],
  "warning.fast_speech": [
    "The speech of the recording is much too fast and high, so its words are probably wrong: the sampling rate of the audio is probably two or three times as low as the request or the file states",
    "The speech of the recording is much too fast and high, so its words are probably wrong: the sampling rate of the audio is probably two or three times as low as the request or the file states, or it has one channel",
  ],
  "warning.wordless":
    "No words were recognised in {seconds#} s of voice activity, at {places}: speech may be missing, or other sound was detected as a voice",
  "warning.holes":
    "The recording has {seconds#} s of digital silence in the middle of speech, at {places}: audio was lost, muted or cut there, and words may be missing",
  "warning.wordless_track":
    "No words were recognised in audio track {track#} of {count#}, counted from 0: to transcribe another one, name it (audio_track)",
  "warning.foreign": "{seconds#} s of speech were left out. {problem&}",
  "warning.doubtful":
    '{seconds#} s of speech may not be in English: the English models are unsure of its words. If it is in another language, name it (language_config.languages) and add a model that recognises it: {command}. If it is English, name it: language_config.languages ["en"]',
  "warning.doubtful.some":
    'Some speech may not be in English: the English models are unsure of its words. If it is in another language, name it (language_config.languages) and add a model that recognises it: {command}. If it is English, name it: language_config.languages ["en"]',
  "warning.voices_sealed":
    "The speakers of this request have no names: their voices were sealed with another key, or by a process without PARLANCE_SECRETS_KEY that no longer runs",
  "warning.vocabulary":
    "account_vocabulary: words of the account's vocabulary were left out ({count#}), because the request has a large vocabulary of its own; they are used with a smaller one",
  "warning.vocabulary.live":
    "realtime_processing.account_vocabulary: words of the account's vocabulary were left out ({count#}), because the request has a large vocabulary of its own; they are used with a smaller one",
  "warning.no_effect.unknown": "{field$} is not a field of this request and was ignored",
  "warning.no_effect.similar": "{field$} is not a field of this request and was ignored; did you mean {similar$}?",
  "warning.no_effect.switch": "{field$} has no effect without {switch$}: true",
  "warning.no_effect.beside": "{field$} has no effect beside {other$}",
  "warning.no_effect": "{field$} has no effect: {reason}",
  "warning.redaction": "pii_redaction finds {types} by a language model, which can miss some; check the result",
  "warning.translation.context": "context has no effect with translation models; a language model takes it",
  "warning.translation.informal": "informal has no effect with translation models; a language model takes it",
  "warning.translation.rest": "Speech in {languages} was not translated: {reasons}",
} as const;

export const LIVE_WARNINGS = {
  "live.turns": "turn_detection has no effect; utterances end after the endpointing silence: {reason&}",
  "live.speakers.names": "speakers have no names: {reason&}",
  "live.speakers.encoder": [
    "the speakers were distinguished by a less accurate method: {reason&}",
    // Of results that earlier versions stored.
    "diarization by the recogniser's encoder, which is less accurate: {reason&}",
  ],
  "live.speakers.none": "finals have no speakers: {reason&}",
  "live.speakers.whole": "diarization of the whole session failed; the speakers are those of the finals: {reason&}",
  "live.speakers.later":
    "later finals have no speakers: the speaker model failed; the result is diarized at the end of the session",
  "live.speakers.model_failed": "the speaker model failed",
  "live.speakers.models_unread": "the models could not be read",
  "live.format":
    "the audio is probably not in the format of the session: it is read as {declared}, and its bytes look like {likely}; {advice}",
  "live.end.idle": "no frame was received for too long; the session is complete",
  "live.end.deleted": "the session was deleted",
  "live.end.fault": "internal fault",
  "live.end.token": "invalid token",
  "live.end.revoked": "the key that made this session was revoked",
  "live.end.expired": "the session was never used and has expired",
  "live.end.over_limit": "too many live sessions of this account",
  "live.end.ended": "session ended",
  "live.end.cause": "session ended, {cause&}; the result has {seconds#} s of audio",
  "live.end.cause.client": "not all audio was stored",
  "live.end.cause.idle": "no frame was received for too long",
  "live.end.cause.away": "no client was connected",
  "live.end.cause.length": "it reached its maximum length",
  "live.end.cause.revoked": "its key was revoked",
  "live.end.unknown": "The service ended the session ({code#})",
} as const;
