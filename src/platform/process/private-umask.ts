// Data of the service is for its user alone.

/** Files 600, folders 700. */
export const PRIVATE_UMASK = 0o077;
