// Why an add-on has no results. Both become the error field of its answer (addon.ts).

/** Thrown by an add-on that is not available in this installation; the message names the setting that enables it. */
export class AddonUnavailable extends Error {}

/** Thrown by an add-on that failed; the message is shown to the caller. */
export class AddonFailed extends Error {}
