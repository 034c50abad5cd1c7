/**
 * Header with the name of the account that a page of the console shows, percent-encoded. The service refuses the request if another one is
 * signed in.
 */
export const CONSOLE_ACCOUNT = "x-console-account";
