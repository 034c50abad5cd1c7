// Callback deliveries with every attempt.
import { at } from "../address.ts";
import type { AccountDelivery, Delivery } from "../shapes.ts";
import { moment } from "../time.ts";

/** In lists of the account with its job. */
type ListedDelivery = Delivery & Partial<Pick<AccountDelivery, "job_id">>;

interface Props {
  deliveries: readonly ListedDelivery[];
  onReplay(id: string, delivery: ListedDelivery): void;
}

export function DeliveryList({ deliveries, onReplay }: Props) {
  if (deliveries.length === 0) return <p class="hint">No callbacks yet.</p>;
  return (
    <ul class="plain deliveries">
      {deliveries.map((delivery) => (
        <li key={delivery.id}>
          <div class="row between">
            <span>
              <span class={`status ${delivery.status}`}>{delivery.status}</span> {delivery.event}
            </span>
            <button type="button" class="quiet" onClick={() => onReplay(delivery.id, delivery)}>
              Send again
            </button>
          </div>
          <small class="break">
            {delivery.url}
            {delivery.job_id ? (
              <>
                {" · "}
                <a href={at(`/jobs/${delivery.job_id}`)}>recording</a>
              </>
            ) : null}
          </small>
          <details>
            <summary>
              {delivery.attempts.length} {delivery.attempts.length === 1 ? "attempt" : "attempts"}
            </summary>
            <ol>
              {delivery.attempts.map(({ number, at, duration, response_status, detail }) => (
                <li key={number}>
                  {moment(at)}, {response_status ?? "no answer"}, {duration.toFixed(2)} s
                  {detail ? <code class="wrapped">{detail}</code> : null}
                </li>
              ))}
            </ol>
          </details>
        </li>
      ))}
    </ul>
  );
}
