// How long the event loop of the service was held: what live audio feels of everything else.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Gauge, type Registry } from "prom-client";

const RESOLUTION_MILLISECONDS = 10;
const QUANTILES = [0.5, 0.99, 0.999, 1];

/** Quantiles since the metrics were read before. */
export function addEventLoopDelay(registry: Registry): void {
  const monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MILLISECONDS });
  monitor.enable();
  new Gauge({
    name: "parlance_event_loop_delay_seconds",
    help: "Time that the event loop was held, since the metrics were read before",
    labelNames: ["quantile"],
    registers: [registry],
    collect() {
      for (const quantile of QUANTILES) {
        // The monitor measures its own timer, which waits that long anyway.
        const delay = monitor.percentile(quantile * 100) / 1e9 - RESOLUTION_MILLISECONDS / 1000;
        this.set({ quantile: String(quantile) }, Math.max(0, delay));
      }
      monitor.reset();
    },
  });
}
