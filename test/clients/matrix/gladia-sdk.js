import { readFileSync } from "node:fs";
import { GladiaClient } from "@gladiaio/sdk";

const { SERVICE, KEY, RECORDING, PCM } = process.env;
const client = new GladiaClient({ apiKey: KEY, apiUrl: SERVICE });
const job = await client.preRecorded().transcribe(RECORDING, { diarization: true }, { interval: 200 });
process.stdout.write(`${job.result.transcription.full_transcript}\n`);

const session = client.liveV2().startSession({ sample_rate: 16_000, bit_depth: 16, endpointing: 0.3 });
session.on("message", (message) => {
  if (message.type === "transcript" && message.data.is_final) process.stdout.write(`${message.data.utterance.text}\n`);
});
session.sendAudio(readFileSync(PCM));
session.stopRecording();
await new Promise((resolve) => session.once("ended", resolve));
