/** Writes `src/grpc/generated/` anew from the files in `proto/`. */
import { writeGrpcTypes } from "./grpc-types.ts";

await writeGrpcTypes();
