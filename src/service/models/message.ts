// Between the service and the process that adds a model for it.
import type { HubOptions } from "./hub.ts";

export interface InstallRequest {
  name: string;
  /** The models folder. */
  folder: string;
  hub: HubOptions;
}

export interface InstallResponse {
  id: string;
}
