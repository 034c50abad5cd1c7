// Names of the prepared files.
export const SEGMENTATION_FILE = "segmentation.onnx";
export const VOICE_FILE = "voices.onnx";
