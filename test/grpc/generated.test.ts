import { expect, test } from "vitest";
import { grpcTypes, readTypes, TYPES_FOLDER } from "../../bin/lib/grpc-types.ts";

test("the committed types are those of the .proto files (npm run grpc-types writes them anew)", async () => {
  const [wanted, committed] = await Promise.all([grpcTypes(), readTypes(TYPES_FOLDER)]);
  expect([...committed.keys()]).toEqual([...wanted.keys()]);
  for (const [path, text] of wanted) expect(committed.get(path), path).toBe(text);
  expect(wanted.size).toBeGreaterThan(40);
});
