// Callback deliveries with every attempt.
import { at } from "../address.ts";
import { formats, t } from "../language/language.ts";
import { said } from "../language/messages.ts";
import type { AccountDelivery, Delivery } from "../shapes.ts";
import { moment } from "../time.ts";

/** In lists of the account with its job. */
type ListedDelivery = Delivery & Partial<Pick<AccountDelivery, "job_id">>;

interface Props {
  deliveries: readonly ListedDelivery[];
  onReplay(id: string, delivery: ListedDelivery): void;
}

export function DeliveryList({ deliveries, onReplay }: Props) {
  if (deliveries.length === 0) return <p class="hint">{t.setup.noCallbacks}</p>;
  return (
    <ul class="plain deliveries">
      {deliveries.map((delivery) => (
        <li key={delivery.id}>
          <div class="row between">
            <span>
              <span class={`status ${delivery.status}`}>{t.setup.callbackStates[delivery.status]}</span>{" "}
              <bdi>{delivery.event}</bdi>
            </span>
            <button type="button" class="quiet" onClick={() => onReplay(delivery.id, delivery)}>
              {t.setup.sendAgain}
            </button>
          </div>
          <small class="break">
            <bdi>{delivery.url}</bdi>
            {delivery.job_id ? (
              <>
                {" · "}
                <a href={at(`/jobs/${delivery.job_id}`)}>{t.setup.recording}</a>
              </>
            ) : null}
          </small>
          <details>
            <summary>{t.setup.attempts(delivery.attempts.length)}</summary>
            <ol>
              {delivery.attempts.map(({ number, at, duration, response_status, detail }) => (
                <li key={number}>
                  {formats.facts([
                    moment(at),
                    response_status === null ? t.setup.noAnswer : String(response_status),
                    formats.seconds(duration, 2),
                  ])}
                  {detail ? <code class="wrapped">{said(detail)}</code> : null}
                </li>
              ))}
            </ol>
          </details>
        </li>
      ))}
    </ul>
  );
}
