/** Takes a stream of server-sent events apart; answers the data of each complete event. Comments and other fields are passed over. */
export const createParser = () => {
  let rest = "";
  return {
    push(text: string): string[] {
      const blocks = (rest + text).split("\n\n");
      rest = blocks.pop() ?? "";
      return blocks.map(dataOf).filter((data) => data !== "");
    },
  };
};

const dataOf = (block: string): string =>
  block
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice("data:".length).trimStart())
    .join("\n");
