import os

from livekit.plugins import assemblyai
from livekit_stream import run

run(
    lambda: assemblyai.STT(
        api_key=os.environ["KEY"],
        base_url=os.environ["SERVICE"].replace("http", "ws", 1),
        model="universal-streaming-english",
        format_turns=True,
    )
)
