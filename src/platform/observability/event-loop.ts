// Measures the delay of the service's event loop, which affects live audio.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Gauge, type Registry } from "prom-client";

const RESOLUTION_MILLISECONDS = 10;
const QUANTILES = [0.5, 0.99, 0.999, 1];

/** Registers quantiles since the last time the metrics were read. */
export function addEventLoopDelay(registry: Registry): void {
  const monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MILLISECONDS });
  monitor.enable();
  new Gauge({
    name: "parlance_event_loop_delay_seconds",
    help: "Delay of the event loop since the metrics were last read",
    labelNames: ["quantile"],
    registers: [registry],
    collect() {
      for (const quantile of QUANTILES) {
        // The monitor includes its own timer interval.
        const delay = monitor.percentile(quantile * 100) / 1e9 - RESOLUTION_MILLISECONDS / 1000;
        this.set({ quantile: String(quantile) }, Math.max(0, delay));
      }
      monitor.reset();
    },
  });
}
