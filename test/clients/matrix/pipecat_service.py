import os

from pipecat.services.gladia.stt import GladiaSTTService
from pipecat_pipeline import run

address = os.environ["SERVICE"] + "/v2/live"
run(
    lambda: GladiaSTTService(api_key=os.environ["KEY"], url=address, sample_rate=16_000),
    silence_bytes=64_000,
)
