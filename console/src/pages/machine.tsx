// The machine: what runs now and how much fits, how fast it is, its disk, and the last errors.
import { formats, t } from "../language/language.ts";
import { LastErrors } from "../setup/last-errors.tsx";
import { NowOfMachine } from "../setup/now-of-machine.tsx";
import { SetupPage } from "../setup/setup-page.tsx";
import { useSystem } from "../setup/system-status.ts";

export function MachinePage() {
  const { system } = useSystem();
  return (
    <SetupPage page="machine">
      {system ? <NowOfMachine system={system} /> : <p class="hint">{t.frame.loading}</p>}
      <LastErrors isOperator={system?.is_operator === true} />
      {system ? (
        <section class="card" aria-labelledby="service">
          <h2 id="service">{t.setup.service}</h2>
          <dl class="facts">
            {[
              [t.setup.version, system.version],
              [t.setup.recognisers, t.setup.recogniserCount(system.recognizers, system.model)],
              [t.setup.memoryFree, formats.bytes(system.load.memory_free)],
            ].map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ) : null}
    </SetupPage>
  );
}
