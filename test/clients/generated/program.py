"""Run with the package that openapi-python-client makes of the document."""

import os
import time
from io import BytesIO
from pathlib import Path

from parlance_api_client import AuthenticatedClient
from parlance_api_client.api.files import upload
from parlance_api_client.api.open_ai import transcribe_audio
from parlance_api_client.api.pre_recorded import create_pre_recorded, get_pre_recorded
from parlance_api_client.models import AudioRequest, PreRecordedRequest, UploadForm
from parlance_api_client.types import File

client = AuthenticatedClient(base_url=os.environ["SERVICE"], token=os.environ["KEY"], raise_on_unexpected_status=True)
content = Path(os.environ["RECORDING"]).read_bytes()


def recording():
    return File(payload=BytesIO(content), file_name="hello.mp3", mime_type="audio/mpeg")


uploaded = upload.sync(client=client, body=UploadForm(audio=recording()))
created = create_pre_recorded.sync(client=client, body=PreRecordedRequest(audio_url=uploaded.audio_url, diarization=True))
while True:
    job = get_pre_recorded.sync(created.id, client=client)
    if job.status == "error":
        raise SystemExit(job.error_message)
    if job.status == "done":
        break
    time.sleep(0.2)
print(job.result.transcription.full_transcript)
answer = transcribe_audio.sync(client=client, body=AudioRequest(file=recording(), model="whisper-1"))
print(answer.text)
