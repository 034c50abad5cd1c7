import os
import wave
from pathlib import Path

import imageio_ffmpeg
import pydub
from langchain_community.document_loaders.blob_loaders import Blob
from langchain_community.document_loaders.parsers.audio import OpenAIWhisperParser

# The parser converts with ffmpeg; a WAV file is read without ffprobe.
pydub.AudioSegment.converter = imageio_ffmpeg.get_ffmpeg_exe()
with wave.open("speech.wav", "wb") as recording:
    recording.setnchannels(1)
    recording.setsampwidth(2)
    recording.setframerate(16_000)
    recording.writeframes(Path(os.environ["PCM"]).read_bytes())

parser = OpenAIWhisperParser(api_key=os.environ["KEY"], base_url=os.environ["SERVICE"] + "/v1")
for document in parser.lazy_parse(Blob.from_path("speech.wav")):
    print(document.page_content)
