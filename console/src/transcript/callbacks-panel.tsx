// Panel of the callbacks of a recording.
import { useEffect } from "preact/hooks";
import { errorMessage, send } from "../api.ts";
import { t } from "../language/language.ts";
import { DeliveryList } from "../parts/deliveries.tsx";
import { notice } from "../parts/notices.tsx";
import type { PanelProps } from "./panel-props.ts";

export function Callbacks({ store }: PanelProps) {
  useEffect(() => {
    store.loadDeliveries().catch((error: unknown) => notice(errorMessage(error), "bad"));
  }, []);
  const replay = async (id: string) => {
    try {
      await send("POST", `${store.path}/deliveries/${id}/replay`);
      notice(t.setup.sentAgain);
      await store.loadDeliveries();
    } catch (error) {
      notice(errorMessage(error), "bad");
    }
  };
  return <DeliveryList deliveries={store.deliveries.value} onReplay={replay} />;
}
