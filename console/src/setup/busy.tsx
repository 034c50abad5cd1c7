// Load of the service, and the account's limits.
import { account } from "../account.ts";
import { formats, t } from "../language/language.ts";
import type { Account, SystemStatus } from "../shapes.ts";

type Limit = keyof Account["limits"];

export function Busy({ system }: { system: SystemStatus | undefined }) {
  const state = account.value;
  const limits = state.kind === "in" ? (Object.entries(state.account.limits) as [Limit, number][]) : [];
  return (
    <section class="card" aria-labelledby="busy">
      <h2 id="busy">{t.setup.service}</h2>
      {system ? (
        <dl class="facts">
          <div>
            <dt>{t.setup.state}</dt>
            <dd>{system.ready ? t.setup.ready : t.setup.loadingModels}</dd>
          </div>
          <div>
            <dt>{t.setup.version}</dt>
            <dd>
              <bdi>{system.version}</bdi>
            </dd>
          </div>
          <div>
            <dt>{t.setup.jobs}</dt>
            <dd>{t.setup.jobCounts(system.jobs.processing, system.jobs.queued)}</dd>
          </div>
          <div>
            <dt>{t.setup.liveSessions}</dt>
            <dd>{t.setup.of(system.load.live_sessions, system.load.live_capacity)}</dd>
          </div>
          <div>
            <dt>{t.setup.finalDelay}</dt>
            <dd>{formats.milliseconds(system.load.final_delay * 1000)}</dd>
          </div>
          <div>
            <dt>{t.setup.processor}</dt>
            <dd>{t.setup.processorShare(system.load.processor, system.cores)}</dd>
          </div>
          <div>
            <dt>{t.setup.memoryFree}</dt>
            <dd>{formats.bytes(system.load.memory_free)}</dd>
          </div>
          <div>
            <dt>{t.setup.recognisers}</dt>
            <dd>{t.setup.recogniserCount(system.recognizers, system.model)}</dd>
          </div>
        </dl>
      ) : (
        <p class="hint">{t.frame.loading}</p>
      )}
      <h3>{t.setup.accountLimits(state.kind === "in" ? state.account.name : "")}</h3>
      <dl class="facts">
        {limits.map(([name, value]) => (
          <div key={name}>
            <dt>{t.setup.limits[name]}</dt>
            <dd>
              {value === 0 ? t.setup.noLimit : name.endsWith("bytes") ? formats.bytes(value) : formats.number(value)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
