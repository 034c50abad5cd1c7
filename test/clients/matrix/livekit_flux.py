import os

from livekit.plugins import deepgram
from livekit_stream import run

run(
    lambda: deepgram.STTv2(
        api_key=os.environ["KEY"],
        base_url=os.environ["SERVICE"] + "/v2/listen",
        eager_eot_threshold=0.5,
    )
)
