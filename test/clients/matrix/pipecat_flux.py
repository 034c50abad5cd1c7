import asyncio
import os
from pathlib import Path

from pipecat.frames.frames import EndFrame, InputAudioRawFrame, TranscriptionFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.runner import PipelineRunner
from pipecat.pipeline.task import PipelineParams, PipelineTask
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.services.deepgram.flux.stt import DeepgramFluxSTTService

CHUNK_BYTES = 3_200


class Printer(FrameProcessor):
    def __init__(self, done):
        super().__init__()
        self.done = done

    async def process_frame(self, frame, direction: FrameDirection):
        await super().process_frame(frame, direction)
        if isinstance(frame, TranscriptionFrame):
            print(frame.text, flush=True)
            self.done.set()
        await self.push_frame(frame, direction)


async def main():
    done = asyncio.Event()
    address = os.environ["SERVICE"].replace("http", "ws", 1)
    service = DeepgramFluxSTTService(
        api_key=os.environ["KEY"],
        url=f"{address}/v2/listen",
        settings=DeepgramFluxSTTService.Settings(eager_eot_threshold=0.5),
    )
    task = PipelineTask(Pipeline([service, Printer(done)]), params=PipelineParams(audio_in_sample_rate=16_000))

    async def speak():
        await asyncio.sleep(2)
        samples = Path(os.environ["PCM"]).read_bytes() + bytes(32_000)
        for at in range(0, len(samples), CHUNK_BYTES):
            await task.queue_frame(InputAudioRawFrame(samples[at : at + CHUNK_BYTES], 16_000, 1))
            await asyncio.sleep(0.1)
        await asyncio.wait_for(done.wait(), 20)
        await task.queue_frame(EndFrame())

    await asyncio.gather(PipelineRunner(handle_sigint=False).run(task), speak())


asyncio.run(asyncio.wait_for(main(), 60))
