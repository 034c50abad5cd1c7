"""Streams a recording to a recogniser of LiveKit's agents at its own speed, and prints the first final."""

import asyncio
import os
from pathlib import Path

from livekit import rtc
from livekit.agents import stt
from livekit.agents.utils import http_context

FRAME_SAMPLES = 1_600
SILENCE = bytes(96_000)


async def speak(stream):
    samples = Path(os.environ["PCM"]).read_bytes() + SILENCE
    for at in range(0, len(samples), FRAME_SAMPLES * 2):
        piece = samples[at : at + FRAME_SAMPLES * 2]
        stream.push_frame(rtc.AudioFrame(piece, 16_000, 1, len(piece) // 2))
        await asyncio.sleep(0.1)


async def print_final(make_recogniser):
    async with http_context.open():
        recogniser = make_recogniser()
        stream = recogniser.stream()
        speaking = asyncio.create_task(speak(stream))
        async for event in stream:
            if event.type == stt.SpeechEventType.FINAL_TRANSCRIPT:
                print(event.alternatives[0].text)
                break
        await speaking
        await stream.aclose()
        await recogniser.aclose()


def run(make_recogniser):
    """make_recogniser: a function, because a recogniser takes its HTTP session where it is created."""
    asyncio.run(asyncio.wait_for(print_final(make_recogniser), 60))
