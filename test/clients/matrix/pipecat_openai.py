import os

from pipecat.services.openai.stt import OpenAIRealtimeSTTService
from pipecat_pipeline import run

address = os.environ["SERVICE"].replace("http", "ws", 1) + "/v1/realtime"
run(lambda: OpenAIRealtimeSTTService(api_key=os.environ["KEY"], base_url=address), ends_speech=True)
