import os

from pipecat.services.deepgram.flux.stt import DeepgramFluxSTTService
from pipecat_pipeline import run

address = os.environ["SERVICE"].replace("http", "ws", 1)
run(
    lambda: DeepgramFluxSTTService(
        api_key=os.environ["KEY"],
        url=f"{address}/v2/listen",
        settings=DeepgramFluxSTTService.Settings(eager_eot_threshold=0.5),
    )
)
