// The choice of a microphone, where there are several.
import { useEffect } from "preact/hooks";
import { t } from "../language/language.ts";
import { chooseMicrophone, chosenMicrophone, microphones, watchMicrophones } from "./microphones.ts";

export function MicrophoneSelect({ onChoose }: { onChoose?(): void }) {
  useEffect(watchMicrophones, []);
  const { value: connected } = microphones;
  if (connected.length < 2) return null;
  const { value: chosen } = chosenMicrophone;
  const isConnected = connected.some(({ id }) => id === chosen?.id);
  return (
    <select
      class="microphone-select"
      aria-label={t.live.chooseMicrophone}
      title={t.live.chooseMicrophone}
      value={isConnected ? chosen?.id : ""}
      onChange={({ currentTarget }) => {
        chooseMicrophone(currentTarget.value);
        onChoose?.();
      }}
    >
      <option value="">{t.live.systemMicrophone}</option>
      {connected.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  );
}
