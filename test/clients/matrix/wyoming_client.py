import asyncio
import os
from pathlib import Path

from wyoming.asr import Transcribe, Transcript, TranscriptChunk
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncClient
from wyoming.info import Describe, Info

FORMAT = {"rate": 16_000, "width": 2, "channels": 1}
CHUNK_BYTES = 2_048


async def read(client, kind):
    while True:
        event = await client.read_event()
        if event is None:
            raise RuntimeError("the connection has ended")
        if TranscriptChunk.is_type(event.type):
            print("chunk:", TranscriptChunk.from_event(event).text)
        if kind.is_type(event.type):
            return kind.from_event(event)


# As Home Assistant does: a connection for the models, and one for each command.
async def main():
    async with AsyncClient.from_uri(os.environ["WYOMING"]) as client:
        await client.write_event(Describe().event())
        [program] = (await read(client, Info)).asr
        print(program.name, program.version, [(model.name, len(model.languages)) for model in program.models])
    async with AsyncClient.from_uri(os.environ["WYOMING"]) as client:
        await client.write_event(Transcribe(language="en", transcript_names=["Vercel"]).event())
        await client.write_event(AudioStart(**FORMAT).event())
        samples = Path(os.environ["PCM"]).read_bytes()
        for at in range(0, len(samples), CHUNK_BYTES):
            await client.write_event(AudioChunk(**FORMAT, audio=samples[at : at + CHUNK_BYTES]).event())
        await client.write_event(AudioStop().event())
        print((await read(client, Transcript)).text)


asyncio.run(asyncio.wait_for(main(), 60))
