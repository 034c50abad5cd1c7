import os
import threading
import time
from pathlib import Path

from deepgram import DeepgramClient
from deepgram.core.events import EventType
from deepgram.environment import DeepgramClientEnvironment

CHUNK_BYTES = 3_200

base = os.environ["SERVICE"]
socket = base.replace("http", "ws", 1)
environment = DeepgramClientEnvironment(base=base, production=socket, agent=socket, agent_rest=base)
client = DeepgramClient(api_key=os.environ["KEY"], environment=environment)
options = {"model": "flux-general-en", "encoding": "linear16", "sample_rate": "16000", "eager_eot_threshold": "0.5"}


def show(message):
    if message.type == "TurnInfo" and message.event == "EndOfTurn":
        print(message.transcript)


with client.listen.v2.connect(**options) as connection:
    connection.on(EventType.MESSAGE, show)
    listening = threading.Thread(target=connection.start_listening)
    listening.start()
    samples = Path(os.environ["PCM"]).read_bytes()
    for at in range(0, len(samples), CHUNK_BYTES):
        connection.send_media(samples[at : at + CHUNK_BYTES])
        time.sleep(0.05)
    connection.send_close_stream()
    listening.join(60)
