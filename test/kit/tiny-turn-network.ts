import { bytesField, joined, numberField, textField } from "../../src/adapters/synthesizer/kokoro/protobuf.ts";

/** Element types of ONNX tensors. */
const FLOAT = 1;

/**
 * An ONNX network with the signature of Smart Turn v3 (`input_features` float [1, 80, 800] → `logits` float [1, 1]), small enough to
 * be written here: the sigmoid of the mean of all features.
 */
export const tinyTurnNetwork = (shape: readonly number[] = [1, 80, 800]): Uint8Array =>
  joined([
    numberField(1, 8),
    bytesField(
      7,
      joined([
        node("ReduceMean", "input_features", "mean", [attribute("axes", [1, 2]), attribute("keepdims", 1)]),
        node("Flatten", "mean", "flat", [attribute("axis", 1)]),
        node("Sigmoid", "flat", "logits", []),
        textField(2, "tiny"),
        bytesField(11, value("input_features", shape)),
        bytesField(12, value("logits", [1, 1])),
      ]),
    ),
    bytesField(8, numberField(2, 13)),
  ]);

const node = (type: string, input: string, output: string, attributes: readonly Uint8Array[]): Uint8Array =>
  bytesField(
    1,
    joined([
      textField(1, input),
      textField(2, output),
      textField(4, type),
      ...attributes.map((each) => bytesField(5, each)),
    ]),
  );

const attribute = (name: string, given: number | readonly number[]): Uint8Array =>
  typeof given === "number"
    ? joined([textField(1, name), numberField(3, given), numberField(20, 2)])
    : joined([textField(1, name), ...given.map((each) => numberField(8, each)), numberField(20, 7)]);

const value = (name: string, shape: readonly number[]): Uint8Array =>
  joined([
    textField(1, name),
    bytesField(
      2,
      bytesField(
        1,
        joined([
          numberField(1, FLOAT),
          bytesField(2, joined(shape.map((size) => bytesField(1, numberField(1, size))))),
        ]),
      ),
    ),
  ]);
