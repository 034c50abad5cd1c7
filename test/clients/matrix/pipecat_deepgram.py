import os

from pipecat.services.deepgram.stt import DeepgramSTTService
from pipecat_pipeline import run

address = os.environ["SERVICE"].replace("http", "ws", 1)
run(lambda: DeepgramSTTService(api_key=os.environ["KEY"], base_url=address), ends_speech=True)
