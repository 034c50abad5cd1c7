// The microphones of this device, and the chosen one. Browsers name them only after the permission to record.
import { signal } from "@preact/signals";
import { t } from "../language/language.ts";
import { forget, readChoice, storeChoice } from "../memory.ts";
import { notice } from "../parts/notices.tsx";

export interface Microphone {
  id: string;
  label: string;
}

const CHOICE = "microphone";
/** Chromium lists the system's devices again under these ids. */
const SYSTEM_IDS = new Set(["default", "communications"]);
/** Whether the requested microphone is not connected. */
const isMissing = ({ name }: DOMException) => name === "OverconstrainedError" || name === "NotFoundError";

/** Empty until they have names. */
export const microphones = signal<readonly Microphone[]>([]);
/** Undefined for the system's one. It stays chosen while it is not connected. */
export const chosenMicrophone = signal(readChoice<Microphone | undefined>(CHOICE, undefined));

async function lookForMicrophones(): Promise<void> {
  const devices = await navigator.mediaDevices?.enumerateDevices().catch(() => []);
  const inputs = (devices ?? []).filter(({ kind, label }) => kind === "audioinput" && label !== "");
  microphones.value = inputs.map(({ deviceId: id, label }) => ({ id, label })).filter(({ id }) => !SYSTEM_IDS.has(id));
}

/** @returns stops it */
export function watchMicrophones(): () => void {
  const look = () => void lookForMicrophones();
  look();
  const { mediaDevices } = navigator;
  mediaDevices?.addEventListener("devicechange", look);
  return () => mediaDevices?.removeEventListener("devicechange", look);
}

/** @param id  "" for the system's one */
export function chooseMicrophone(id: string): void {
  const chosen = microphones.peek().find((microphone) => microphone.id === id);
  chosenMicrophone.value = chosen;
  if (chosen) storeChoice(CHOICE, chosen);
  else forget(CHOICE);
}

/**
 * Opens the chosen microphone. If it is not connected, opens another one and says so.
 * @param lost  name of the microphone that another one replaces @throws DOMException  without a permission or a microphone
 */
export async function openMicrophone(constraints: MediaTrackConstraints = {}, lost?: string): Promise<MediaStream> {
  const { value: chosen } = chosenMicrophone;
  const open = (device: MediaTrackConstraints = {}) =>
    navigator.mediaDevices.getUserMedia({ audio: { ...constraints, ...device } });
  // A browser may open another microphone than an "ideal" one, although that is connected.
  const stream = await (chosen
    ? open({ deviceId: { exact: chosen.id } }).catch((error) => {
        if (isMissing(error)) return open();
        throw error;
      })
    : open());
  const [track] = stream.getAudioTracks();
  const isOther = chosen !== undefined && track?.getSettings().deviceId !== chosen.id;
  const missing = lost ?? (isOther ? chosen.label : undefined);
  const used = track?.label ?? "";
  if (missing !== undefined && missing !== used) notice(t.live.otherMicrophone(missing, used), "bad");
  void lookForMicrophones();
  return stream;
}
