import os

from livekit.plugins import openai
from livekit_stream import run

run(
    lambda: openai.STT(
        api_key=os.environ["KEY"],
        base_url=os.environ["SERVICE"] + "/v1",
        model="gpt-4o-transcribe",
        use_realtime=True,
    )
)
