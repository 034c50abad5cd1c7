"""Sends a recording through a pipeline of Pipecat at its own speed, and prints what the service transcribes."""

import asyncio
import os
from pathlib import Path

from pipecat.frames.frames import EndFrame, InputAudioRawFrame, TranscriptionFrame, VADUserStoppedSpeakingFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.runner import PipelineRunner
from pipecat.pipeline.task import PipelineParams, PipelineTask
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

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


async def print_transcription(make_service, silence_bytes, ends_speech):
    done = asyncio.Event()
    pipeline = Pipeline([make_service(), Printer(done)])
    task = PipelineTask(pipeline, params=PipelineParams(audio_in_sample_rate=16_000))

    async def speak():
        await asyncio.sleep(2)
        samples = Path(os.environ["PCM"]).read_bytes() + bytes(silence_bytes)
        for at in range(0, len(samples), CHUNK_BYTES):
            await task.queue_frame(InputAudioRawFrame(samples[at : at + CHUNK_BYTES], 16_000, 1))
            await asyncio.sleep(0.1)
        if ends_speech:
            await task.queue_frame(VADUserStoppedSpeakingFrame())
        await asyncio.wait_for(done.wait(), 20)
        await task.queue_frame(EndFrame())

    await asyncio.gather(PipelineRunner(handle_sigint=False).run(task), speak())


def run(make_service, silence_bytes=32_000, ends_speech=False):
    """ends_speech: reports the end of the speech, as a voice activity detector of the pipeline does."""
    asyncio.run(asyncio.wait_for(print_transcription(make_service, silence_bytes, ends_speech), 60))
