// Addresses of the interface, and what the account may use at once.
import { account } from "../account.ts";
import { at, base } from "../address.ts";
import { formats, t } from "../language/language.ts";
import { Rich } from "../language/rich.tsx";
import type { Account } from "../shapes.ts";

const Address = ({ path }: { path: string }) => (
  <a class="break" href={at(path)} dir="ltr">
    {at(path)}
  </a>
);

export function Programs() {
  return (
    <section class="card" aria-labelledby="programs">
      <h2 id="programs">{t.setup.programs}</h2>
      <p>
        <Rich
          text={t.setup.interface}
          parts={[
            () => <Address path="/docs/api" />,
            () => <Address path="/openapi.json" />,
            () => <Address path="/asyncapi.json" />,
            () => (
              <code class="break" dir="ltr">
                {base}/v1
              </code>
            ),
          ]}
        />
      </p>
    </section>
  );
}

type Limit = keyof Account["limits"];

export function AccountLimits() {
  const { value: state } = account;
  if (state.kind !== "in") return null;
  const { name: owner, limits } = state.account;
  return (
    <section class="card" aria-labelledby="limits">
      <h2 id="limits">{t.setup.accountLimits(owner)}</h2>
      <dl class="facts">
        {(Object.entries(limits) as [Limit, number][]).map(([name, value]) => (
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
