/** Where weights are looked for, in this order, when the configuration names no file. */
export const weightFiles = [
  "onnx/model.onnx",
  "model.onnx",
  "onnx/model_quantized.onnx",
  "model_quantized.onnx"
] as const
