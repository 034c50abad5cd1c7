// The only import of onnxruntime-node: its telemetry is turned off before it is loaded.
import "../../platform/config/no-telemetry.ts";

export * from "onnxruntime-node";

/** The npm package of ONNX Runtime. */
export const RUNTIME_PACKAGE = "onnxruntime-node";
