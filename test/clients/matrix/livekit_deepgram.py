import os

from livekit.plugins import deepgram
from livekit_stream import run

run(
    lambda: deepgram.STT(
        api_key=os.environ["KEY"],
        base_url=os.environ["SERVICE"] + "/v1/listen",
        model="nova-3",
    )
)
