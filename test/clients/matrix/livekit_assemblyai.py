import asyncio
import os
from pathlib import Path

from livekit import rtc
from livekit.agents import stt
from livekit.agents.utils import http_context
from livekit.plugins import assemblyai

FRAME_SAMPLES = 1_600


async def main():
    async with http_context.open():
        recogniser = assemblyai.STT(
            api_key=os.environ["KEY"],
            base_url=os.environ["SERVICE"].replace("http", "ws", 1),
            model="universal-streaming-english",
            format_turns=True,
        )
        stream = recogniser.stream()

        async def speak():
            samples = Path(os.environ["PCM"]).read_bytes() + bytes(96_000)
            for at in range(0, len(samples), FRAME_SAMPLES * 2):
                piece = samples[at : at + FRAME_SAMPLES * 2]
                stream.push_frame(rtc.AudioFrame(piece, 16_000, 1, len(piece) // 2))
                await asyncio.sleep(0.1)

        speaking = asyncio.create_task(speak())
        async for event in stream:
            if event.type == stt.SpeechEventType.FINAL_TRANSCRIPT:
                print(event.alternatives[0].text)
                break
        await speaking
        await stream.aclose()
        await recogniser.aclose()


asyncio.run(asyncio.wait_for(main(), 60))
