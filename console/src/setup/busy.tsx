// Load of the service, and the account's limits.
import { account } from "../account.ts";
import { labelOf } from "../parts/option-names.ts";
import type { SystemStatus } from "../shapes.ts";
import { bytes } from "../time.ts";

export function Busy({ system }: { system: SystemStatus | undefined }) {
  const state = account.value;
  const limits = state.kind === "in" ? Object.entries(state.account.limits) : [];
  return (
    <section class="card" aria-labelledby="busy">
      <h2 id="busy">This service</h2>
      {system ? (
        <dl class="facts">
          <div>
            <dt>State</dt>
            <dd>{system.ready ? "Ready" : "Loading its models"}</dd>
          </div>
          <div>
            <dt>Version</dt>
            <dd>{system.version}</dd>
          </div>
          <div>
            <dt>Jobs</dt>
            <dd>
              {system.jobs.processing} in progress, {system.jobs.queued} waiting
            </dd>
          </div>
          <div>
            <dt>Live sessions</dt>
            <dd>
              {system.load.live_sessions} of {system.load.live_capacity}
            </dd>
          </div>
          <div>
            <dt>Delay of live finals</dt>
            <dd>{Math.round(system.load.final_delay * 1000)} ms</dd>
          </div>
          <div>
            <dt>Processor</dt>
            <dd>
              {Math.round(system.load.processor * 100)} % of {system.cores} cores
            </dd>
          </div>
          <div>
            <dt>Memory free</dt>
            <dd>{bytes(system.load.memory_free)}</dd>
          </div>
          <div>
            <dt>Recognisers</dt>
            <dd>
              {system.recognizers}, {system.model}
            </dd>
          </div>
        </dl>
      ) : (
        <p class="hint">Loading…</p>
      )}
      <h3>Limits of the account {state.kind === "in" ? state.account.name : ""}</h3>
      <dl class="facts">
        {limits.map(([name, value]) => (
          <div key={name}>
            <dt>{labelOf(name)}</dt>
            <dd>{value === 0 ? "none" : name.endsWith("bytes") ? bytes(value) : value.toLocaleString()}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
