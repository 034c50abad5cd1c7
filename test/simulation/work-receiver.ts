// The receiver of callbacks in a simulation, and the checks of them: each arrives, in its order, and ends once.
import type { SafeSendOptions, SentAnswer } from "../../src/platform/net/safe-send.ts";
import type { MemoryRows, Row } from "./memory-rows.ts";
import type { Network } from "./network.ts";
import type { Place } from "./virtual-time.ts";
import type { Schedule } from "./work-schedule.ts";

interface Body {
  id: string;
  event: string;
  payload?: unknown;
}

const FAILED = 503;
/** Later it answers all requests: the pauses between attempts grow. */
const TROUBLE_MILLISECONDS = 30_000;

export class Receiver {
  /** Ids of deliveries that were answered with success. */
  private readonly answered = new Set<string>();
  /** Events that arrived, by job. */
  private readonly arrived = new Map<string, Body[]>();
  private readonly expected: { id: string; sequence: number }[] = [];
  private readonly claims = new Map<unknown, { place: Place; until: number }>();

  constructor(
    private readonly network: Network,
    private readonly rows: MemoryRows,
    private readonly plan: Schedule["receiver"],
    private readonly violate: (text: string) => void,
  ) {}

  /** As safeSend. */
  receive(place: Place, _url: string, options: SafeSendOptions): Promise<SentAnswer> {
    const { network } = this;
    const { signal, timeoutMilliseconds, body, headers } = options;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve({ status: null, detail: "no answer" }), timeoutMilliseconds);
      const abort = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      if (signal.aborted) return abort();
      signal.addEventListener("abort", abort);
      network.count(place);
      const answer = (status: number | null, milliseconds: number) => {
        if (status !== null && network.isCut(place, "receivers")) return;
        network.time.after(place, milliseconds + network.delay(place, "receivers"), () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", abort);
          resolve({ status, detail: "" });
        });
      };
      if (network.isCut(place, "receivers")) return answer(null, 0);
      network.time.after(network.servers, network.delay(place, "receivers"), () => {
        const status = this.statusOf(headers["webhook-id"] ?? "", JSON.parse(body));
        if (status !== undefined) answer(status, network.random() * this.plan.slowness);
      });
    });
  }

  /** @returns undefined if it does not answer */
  private statusOf(delivery: string, body: Body): number | undefined {
    const { random, time } = this.network;
    const isTroubled = time.now < TROUBLE_MILLISECONDS;
    if (time.now < this.plan.downUntil || (isTroubled && random() < this.plan.failing)) return FAILED;
    this.checkOrder(body);
    this.arrived.set(body.id, [...(this.arrived.get(body.id) ?? []), body]);
    if (isTroubled && random() < this.plan.silent) return undefined;
    this.answered.add(delivery);
    return 200;
  }

  /** An event arrives for the first time after those before it have arrived. */
  private checkOrder({ id, event, payload }: Body): void {
    if (!event.startsWith("live.")) return;
    const before = (this.arrived.get(id) ?? []).map((body) => Number(body.payload));
    const missing = Array.from({ length: Number(payload) }, (_, sequence) => sequence).filter(
      (sequence) => !before.includes(sequence),
    );
    if (missing.length > 0) this.violate(`event ${payload} of ${id} arrived before ${missing.join()}`);
  }

  /** An event was acknowledged. */
  expect(id: string, sequence: number): void {
    this.expected.push({ id, sequence });
  }

  checkDelivery(before: Row, after: Row): void {
    const { id, job_id: job, sequence, status } = after;
    if (before["status"] === status) return;
    if (before["status"] !== "pending")
      this.violate(`delivery ${sequence} of ${job} ended as ${before["status"]} and is ${status} now`);
    if (status === "delivered" && !this.answered.has(String(id)))
      this.violate(`delivery ${sequence} of ${job} is delivered, but its receiver did not accept it`);
  }

  checkLane(before: Row, after: Row, place: Place): void {
    const [was, becomes] = [before["claimed_until"] as Date | null, after["claimed_until"] as Date | null];
    if (was?.getTime() === becomes?.getTime()) return;
    const job = after["job_id"];
    const claim = this.claims.get(job);
    const now = this.network.time.serverTime.getTime();
    const isHeld = was !== null && claim !== undefined && was.getTime() > now && claim.until === was.getTime();
    if (isHeld && claim.place !== place)
      this.violate(`${place.name} ended or took the claim of ${claim.place.name} to the callbacks of ${job}`);
    if (becomes) this.claims.set(job, { place, until: becomes.getTime() });
  }

  /** A job with a callback has ended. */
  checkEnding(id: string, { status }: Row): void {
    const deliveries = this.rows.rows("deliveries").filter((one) => one["job_id"] === id);
    const [delivery] = deliveries;
    if (deliveries.length !== 1 || delivery?.["status"] !== "delivered")
      this.violate(`${id} has ${deliveries.length} callbacks: ${deliveries.map((one) => one["status"]).join()}`);
    const bodies = this.arrived.get(id) ?? [];
    const event = status === "done" ? "transcription.success" : "transcription.error";
    if (bodies.length === 0 || bodies.some((body) => body.event !== event))
      this.violate(`the callbacks of ${id}, which is ${status}, are ${bodies.map((body) => body.event).join()}`);
  }

  checkEvents(): void {
    for (const { id, sequence } of this.expected) {
      const isThere = this.arrived.get(id)?.some(({ payload }) => Number(payload) === sequence);
      if (!isThere) this.violate(`event ${sequence} of ${id} did not arrive`);
    }
  }
}
