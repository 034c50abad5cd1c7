import os

from openai import OpenAI

client = OpenAI(api_key=os.environ["KEY"], base_url=os.environ["SERVICE"] + "/v1")
with open(os.environ["RECORDING"], "rb") as recording:
    answer = client.audio.transcriptions.create(
        file=recording, model="whisper-1", response_format="verbose_json", timestamp_granularities=["word"]
    )
assert answer.words
print(answer.text)
