// Turns off the telemetry of libraries in this process. A module that loads such a library imports this one first.
// onnxruntime 1.30 reads the variable when its first session is created: without it, it writes a device id to the home
// directory and log files to the temporary folder, and sends usage events to its vendor.

/** Variables that turn it off; child processes get them, too. */
export const TELEMETRY_OFF = { ORT_DISABLE_TELEMETRY: "1" } as const;

Object.assign(process.env, TELEMETRY_OFF);
