// State of the transcript page: the job, its corrections, and the corrected transcript.
import { computed, signal } from "@preact/signals";
import type { Correction, TranscriptChange } from "../../../src/transcript/correction.ts";
import { corrected } from "../../../src/transcripts/corrections.ts";
import { get, send } from "../api.ts";
import type { Delivery, Job } from "../shapes.ts";

export type { Correction, TranscriptChange };

export function transcriptStore(id: string) {
  const job = signal<Job | undefined>(undefined);
  const corrections = signal<Correction[]>([]);
  const deliveries = signal<Delivery[]>([]);
  const showsCorrected = signal(true);
  const path = `/v2/transcription/${id}`;

  const reading = computed(() => {
    const transcription = job.value?.result?.transcription;
    return transcription && corrected(transcription, showsCorrected.value ? corrections.value : []);
  });

  return {
    id,
    path,
    job,
    corrections,
    deliveries,
    showsCorrected,
    reading,
    /** @throws ApiError */
    async load() {
      const found = await get<Job>(path);
      if (found.status === "done")
        corrections.value = (await get<{ items: Correction[] }>(`${path}/corrections`)).items;
      job.value = found;
    },
    async loadDeliveries() {
      deliveries.value = (await get<{ items: Delivery[] }>(`${path}/deliveries?limit=100`)).items;
    },
    /** @throws ApiError */
    async correct(change: TranscriptChange) {
      const made = await send<Correction>("PATCH", `${path}/transcript`, change);
      corrections.value = [...corrections.value, made];
      showsCorrected.value = true;
    },
    /** @throws ApiError */
    async undo(correction: string) {
      const undone = await send<Correction>("DELETE", `${path}/corrections/${correction}`);
      corrections.value = corrections.value.map((one) => (one.id === undone.id ? undone : one));
    },
  };
}

export type TranscriptStore = ReturnType<typeof transcriptStore>;
