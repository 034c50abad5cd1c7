// The choice of a microphone, where there is more than one.
import { useEffect } from "preact/hooks";
import { t } from "../language/language.ts";
import { chooseMicrophone, chosenMicrophone, microphones, watchMicrophones } from "./microphones.ts";

export function MicrophoneSelect({ onChoose }: { onChoose?(): void }) {
  useEffect(watchMicrophones, []);
  const { value: connected } = microphones;
  const { value: chosen } = chosenMicrophone;
  const missing = connected.some(({ id }) => id === chosen?.id) ? undefined : chosen;
  if (connected.length + (missing ? 1 : 0) < 2) return null;
  return (
    <select
      class="microphone-select"
      aria-label={t.live.chooseMicrophone}
      title={t.live.chooseMicrophone}
      value={chosen?.id ?? ""}
      onChange={({ currentTarget }) => {
        chooseMicrophone(currentTarget.value);
        onChoose?.();
      }}
    >
      <option value="">{t.live.systemMicrophone}</option>
      {missing ? <option value={missing.id}>{t.live.notConnected(missing.label)}</option> : null}
      {connected.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  );
}
