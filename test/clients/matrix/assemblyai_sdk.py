import os
import threading
import time
from pathlib import Path

from assemblyai.streaming.v3 import (
    StreamingClient,
    StreamingClientOptions,
    StreamingEvents,
    StreamingParameters,
    StreamingSessionParameters,
)

CHUNK_BYTES = 3_200

ended = threading.Event()
failures = []


def show(_client, event):
    if event.end_of_turn:
        print(event.transcript)
        ended.set()


host = os.environ["SERVICE"].replace("http", "ws", 1)
client = StreamingClient(StreamingClientOptions(api_key=os.environ["KEY"], api_host=host))
client.on(StreamingEvents.Turn, show)
client.on(StreamingEvents.Error, lambda _client, error: failures.append(error))
client.connect(StreamingParameters(sample_rate=16_000, speech_model="universal-streaming-english", format_turns=True))
client.set_params(StreamingSessionParameters(max_turn_silence=1_500, keyterms_prompt=["Vercel"]))
samples = Path(os.environ["PCM"]).read_bytes() + bytes(64_000)
for at in range(0, len(samples), CHUNK_BYTES):
    client.stream(samples[at : at + CHUNK_BYTES])
    time.sleep(0.05)
client.force_endpoint()
ended.wait(30)
client.disconnect(terminate=True)
if failures:
    raise SystemExit(f"errors: {failures}")
