// Between the service and the process that adds a model for it.
import type { HubOptions } from "./hub.ts";

export interface InstallRequest {
  name: string;
  /** The models folder. */
  folder: string;
  hub: HubOptions;
  /** The time of the request by the clock that the installed models are compared by, in milliseconds: the clock of this machine may be wrong. */
  requestedAt: number;
}

export interface InstallResponse {
  id: string;
}
