/** The sign of the service. */
export const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2450c8"/><path d="M7.5 14.500v3M13 9.500v13M19 12.500v7M24.500 15.500v1" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>';
