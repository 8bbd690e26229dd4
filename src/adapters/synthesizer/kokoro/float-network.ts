import { bytesField, fieldsOf, joined, numberField, numbersOf, textField, textOf, type Field } from "./protobuf.ts";

/**
 * The graph output that {@link toFloatNetwork} adds: how many frames each token sounds, as floats of shape [1, tokens], whole and
 * at least 1. The value is in the network anyway.
 */
export const TOKEN_FRAMES = "/encoder/Clip_output_0";

/** The bytes are not the network that the recipe was made for. */
export class UnknownNetwork extends Error {
  override readonly name = "UnknownNetwork";
}

/**
 * Rewrites the quantized Kokoro network so that it runs faster and tells the length of each token.
 *
 * On a CPU, four fifths of the quantized network's time go into integer convolutions, which the runtime has no fast code for.
 * Each chain DynamicQuantizeLinear → ConvInteger [→ Add bias] → Cast → Mul becomes one float Conv with the weights
 * (q − zero point) × scale; nothing is lost, since those are the values that the integers stand for. Nodes and weights that
 * nothing uses any more are dropped. The file grows from 92 to about 250 MB and the time falls to three fifths.
 *
 * Takes about a second of computing and belongs in a worker thread. Throws {@link UnknownNetwork}.
 */
export const toFloatNetwork = (model: Uint8Array): Uint8Array => {
  const modelFields = fieldsOf(model);
  const graphField = modelFields.find((field) => field.number === MODEL_GRAPH);
  if (graphField === undefined) throw new UnknownNetwork("the file holds no graph");
  const graph = readGraph(graphField.content);
  if (!graph.nodes.some((node) => node.outputs.includes(TOKEN_FRAMES)))
    throw new UnknownNetwork(`the network has no ${TOKEN_FRAMES}`);
  const replaced = floatConvolutions(graph);
  const kept = withoutDead(replaced.nodes, [...graph.outputs, TOKEN_FRAMES]);
  const used = new Set(kept.flatMap((node) => node.inputs));
  const weights = [...graph.weights.values(), ...replaced.weights].filter((weight) => used.has(weight.name));
  const newGraph = joined([
    ...kept.map((node) => bytesField(GRAPH_NODE, node.bytes)),
    ...weights.map((weight) => bytesField(GRAPH_WEIGHT, weight.bytes)),
    ...graph.rest,
    bytesField(GRAPH_OUTPUT, floatTensor(TOKEN_FRAMES)),
  ]);
  const rest = modelFields.filter((field) => field !== graphField).map((field) => field.whole);
  return joined([...rest, bytesField(MODEL_GRAPH, newGraph)]);
};

type Node = Readonly<{
  type: string;
  inputs: readonly string[];
  outputs: readonly string[];
  attributes: readonly Uint8Array[];
  bytes: Uint8Array;
}>;

type Weight = Readonly<{ name: string; bytes: Uint8Array }>;

type Graph = Readonly<{
  nodes: readonly Node[];
  weights: ReadonlyMap<string, Weight>;
  outputs: readonly string[];
  rest: readonly Uint8Array[];
}>;

// Field numbers of onnx.proto.
const MODEL_GRAPH = 7;
const GRAPH_NODE = 1;
const GRAPH_WEIGHT = 5;
const GRAPH_OUTPUT = 12;
/** Shapes that the exporter noted for intermediate values; the runtime infers them anew. */
const GRAPH_VALUE_INFO = 13;
const NODE = { input: 1, output: 2, name: 3, type: 4, attribute: 5 } as const;
const TENSOR = { dimension: 1, dataType: 2, int32: 5, name: 8, raw: 9 } as const;
const FLOAT = 1;
const UINT8 = 2;

const readGraph = (content: Uint8Array): Graph => {
  const fields = fieldsOf(content);
  const of = (number: number) => fields.filter((field) => field.number === number);
  const weights = of(GRAPH_WEIGHT).map((field) => ({ name: nameOf(field, TENSOR.name), bytes: field.content }));
  return {
    nodes: of(GRAPH_NODE).map((field) => readNode(field.content)),
    weights: new Map(weights.map((weight) => [weight.name, weight])),
    outputs: of(GRAPH_OUTPUT).map((field) => nameOf(field, 1)),
    rest: fields
      .filter((field) => ![GRAPH_NODE, GRAPH_WEIGHT, GRAPH_VALUE_INFO].includes(field.number))
      .map((field) => field.whole),
  };
};

const readNode = (bytes: Uint8Array): Node => {
  const fields = fieldsOf(bytes);
  const texts = (number: number) => fields.filter((field) => field.number === number).map(textOf);
  return {
    type: texts(NODE.type)[0] ?? "",
    inputs: texts(NODE.input),
    outputs: texts(NODE.output),
    attributes: fields.filter((field) => field.number === NODE.attribute).map((field) => field.whole),
    bytes,
  };
};

const nameOf = (field: Field, number: number): string => {
  const name = fieldsOf(field.content).find((each) => each.number === number);
  return name === undefined ? "" : textOf(name);
};

/** Puts a float Conv in the place of each integer one; the rest of its chain stays in the graph, with nobody to use it. */
const floatConvolutions = (graph: Graph): Readonly<{ nodes: readonly Node[]; weights: readonly Weight[] }> => {
  const makerOf = new Map(graph.nodes.flatMap((node) => node.outputs.map((output) => [output, node])));
  const usersOf = new Map<string, Node[]>();
  for (const node of graph.nodes)
    for (const input of node.inputs) usersOf.set(input, [...(usersOf.get(input) ?? []), node]);
  const weights: Weight[] = [];
  const replacement = new Map<Node, Node>();
  const replacedEnds = new Set<Node>();
  for (const node of graph.nodes.filter((each) => each.type === "ConvInteger")) {
    const [quantized = "", weight = "", , zeroPoint = ""] = node.inputs;
    const chain = chainAfter(node, usersOf);
    const input = makerOf.get(quantized)?.inputs[0];
    const scale = scaleOf(chain.end, makerOf, graph);
    if (input === undefined || scale === undefined)
      throw new UnknownNetwork(`the convolution ${node.outputs[0]} is not quantized in the expected way`);
    const floatName = `${weight}_float`;
    weights.push(floatWeight(graph, { weight, zeroPoint, scale }, floatName));
    const bias = chain.bias === undefined ? [] : [biasBehind(chain.bias, makerOf, graph)];
    replacement.set(node, madeNode("Conv", [input, floatName, ...bias], chain.end.outputs, node.attributes));
    replacedEnds.add(chain.end);
  }
  if (replacement.size === 0) throw new UnknownNetwork("the network has no integer convolutions");
  const nodes = graph.nodes.filter((node) => !replacedEnds.has(node)).map((node) => replacement.get(node) ?? node);
  return { nodes, weights: [...new Map(weights.map((each) => [each.name, each])).values()] };
};

/** Follows ConvInteger [→ Add] → Cast → Mul to the Mul, and names what the Add adds. */
const chainAfter = (
  start: Node,
  usersOf: ReadonlyMap<string, readonly Node[]>,
): Readonly<{ end: Node; bias?: string }> => {
  const follow = (node: Node): Node => {
    const users = usersOf.get(node.outputs[0] ?? "") ?? [];
    const [only] = users;
    if (only === undefined || users.length > 1)
      throw new UnknownNetwork(`the result ${node.outputs[0]} has ${users.length} users where one was expected`);
    return only;
  };
  let node = follow(start);
  const bias = node.type === "Add" ? node.inputs[1] : undefined;
  if (node.type === "Add") node = follow(node);
  const end = follow(node);
  if (node.type !== "Cast" || end.type !== "Mul")
    throw new UnknownNetwork(`after ${start.outputs[0]} come ${node.type} and ${end.type} instead of Cast and Mul`);
  return bias === undefined ? { end } : { end, bias };
};

/** The weights' scale: the constant factor of the product that the chain's end multiplies with. */
const scaleOf = (end: Node, makerOf: ReadonlyMap<string, Node>, graph: Graph): string | undefined =>
  end.inputs.flatMap((input) => makerOf.get(input)?.inputs ?? []).find((input) => graph.weights.has(input));

/** The float bias that was divided by the scale to make the integer one. */
const biasBehind = (integerBias: string, makerOf: ReadonlyMap<string, Node>, graph: Graph): string => {
  let name: string | undefined = integerBias;
  // Reshape ← Cast ← Floor ← Div: four steps, with room for one more.
  for (let step = 0; step < 6 && name !== undefined; step++) {
    const maker: Node | undefined = makerOf.get(name);
    name = maker?.inputs[0];
    if (maker?.type === "Div" && name !== undefined && graph.weights.has(name)) return name;
  }
  throw new UnknownNetwork(`no float bias behind ${integerBias}`);
};

/** A node as bytes; it is named after what it makes. */
const madeNode = (
  type: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: readonly Uint8Array[],
): Node => ({
  type,
  inputs,
  outputs,
  attributes,
  bytes: joined([
    ...inputs.map((input) => textField(NODE.input, input)),
    ...outputs.map((output) => textField(NODE.output, output)),
    textField(NODE.name, `${outputs[0]}_${type}`),
    textField(NODE.type, type),
    ...attributes,
  ]),
});

const floatWeight = (
  graph: Graph,
  names: Readonly<{ weight: string; zeroPoint: string; scale: string }>,
  floatName: string,
): Weight => {
  const quantized = tensorOf(graph, names.weight);
  const zero = zeroPointOf(tensorOf(graph, names.zeroPoint));
  const scale = Buffer.from(quantized.dataType === UINT8 ? tensorOf(graph, names.scale).raw : []);
  if (scale.length !== 4) throw new UnknownNetwork(`the weights ${names.weight} are not bytes with one scale`);
  const factor = scale.readFloatLE();
  const floatOf = Float32Array.from({ length: 256 }, (_, value) => (value - zero) * factor);
  const floats = new Float32Array(quantized.raw.length);
  for (let index = 0; index < floats.length; index++) floats[index] = floatOf[quantized.raw[index] as number] as number;
  return {
    name: floatName,
    bytes: joined([
      ...quantized.dimensions.map((dimension) => numberField(TENSOR.dimension, dimension)),
      numberField(TENSOR.dataType, FLOAT),
      textField(TENSOR.name, floatName),
      bytesField(TENSOR.raw, new Uint8Array(floats.buffer)),
    ]),
  };
};

type Tensor = Readonly<{ dimensions: readonly number[]; dataType: number; raw: Uint8Array; int32: readonly number[] }>;

const tensorOf = (graph: Graph, name: string): Tensor => {
  const fields = fieldsOf(graph.weights.get(name)?.bytes ?? new Uint8Array(0));
  const numbers = (number: number) => fields.filter((field) => field.number === number).flatMap(numbersOf);
  return {
    dimensions: numbers(TENSOR.dimension),
    dataType: numbers(TENSOR.dataType)[0] ?? 0,
    raw: fields.find((field) => field.number === TENSOR.raw)?.content ?? new Uint8Array(0),
    int32: numbers(TENSOR.int32),
  };
};

const zeroPointOf = (tensor: Tensor): number => {
  const zero = tensor.raw[0] ?? tensor.int32[0];
  if (zero === undefined) throw new UnknownNetwork("a zero point has no value");
  return zero;
};

/** Nodes that an output depends on, in their order. */
const withoutDead = (nodes: readonly Node[], outputs: readonly string[]): readonly Node[] => {
  const needed = new Set(outputs);
  const kept: Node[] = [];
  for (const node of nodes.toReversed()) {
    if (!node.outputs.some((output) => needed.has(output))) continue;
    kept.push(node);
    for (const input of node.inputs) needed.add(input);
  }
  return kept.toReversed();
};

/** A ValueInfo: name and element type, the shape left open. */
const floatTensor = (name: string): Uint8Array =>
  joined([textField(1, name), bytesField(2, bytesField(1, numberField(1, FLOAT)))]);
