import os

from livekit.plugins import gladia
from livekit_stream import run

run(
    lambda: gladia.STT(
        api_key=os.environ["KEY"],
        base_url=os.environ["SERVICE"] + "/v2/live",
        sample_rate=16_000,
    )
)
