import os

import assemblyai as aai

aai.settings.api_key = os.environ["KEY"]
aai.settings.base_url = os.environ["SERVICE"]
aai.settings.polling_interval = 0.2

config = aai.TranscriptionConfig(speaker_labels=True, entity_detection=False, language_code="en_us")
transcript = aai.Transcriber(config=config).transcribe(os.environ["RECORDING"])
if transcript.status is not aai.TranscriptStatus.completed:
    raise SystemExit(transcript.error)
assert transcript.utterances[0].speaker == "A", transcript.utterances[0]
assert transcript.words[0].text == "Hello", transcript.words[0]
assert transcript.get_sentences()[0].words
assert transcript.get_paragraphs()[0].start == transcript.words[0].start
assert transcript.word_search(["hello"])[0].count == 1
assert transcript.export_subtitles_srt(chars_per_caption=32).startswith("1\n")
page = aai.Transcriber().list_transcripts(aai.ListTranscriptParameters(limit=1))
assert page.transcripts[0].id == transcript.id, page
assert aai.Transcript.get_by_id(transcript.id).text == transcript.text
aai.Transcript.delete_by_id(transcript.id)
print(transcript.text)
