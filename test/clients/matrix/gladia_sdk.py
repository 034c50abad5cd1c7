import os

from gladiaio_sdk import GladiaClient

client = GladiaClient(api_key=os.environ["KEY"], api_url=os.environ["SERVICE"])
job = client.pre_recorded().transcribe(os.environ["RECORDING"])
print(job.result.transcription.full_transcript)
