// Name of the prepared file.
export const TURN_FILE = "smart-turn.onnx";
