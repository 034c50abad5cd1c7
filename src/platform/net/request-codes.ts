/** Code of the error for a request that a service does not understand. */
export const REFUSED_REQUEST = "service.refused_request";
