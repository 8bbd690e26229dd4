import { Type } from "typebox";
import { readDial } from "../../dials/read-dial.ts";
import { callerOf } from "../auth.ts";
import { Problem } from "../problem.ts";
import { parseRange } from "../range.ts";
import { COMMON_PROBLEMS, problems, SECURITY, type Api, type RouteDeps } from "../route.ts";

const ParamsSchema = Type.Object({ id: Type.String(), recordingId: Type.String() });

/** Streams the sound of a call: whole, or the part that a player asks for. */
export const recordingRoutes = (api: Api, deps: RouteDeps): void => {
  const { dials } = deps.store;
  api.get(
    "/dials/:id/recordings/:recordingId",
    { schema: RECORDING, config: { access: "key-or-dial-token" } },
    async (request, reply) => {
      const { id, recordingId } = request.params;
      const { workspaceId } = callerOf(request);
      const known = await dials.findRecording(workspaceId, id, recordingId);
      if (known === undefined) {
        await readDial(dials, "", workspaceId, id);
        throw notThere();
      }
      const sound = await deps.recorder.read(id, recordingId);
      if (sound === undefined) throw notThere();
      void reply
        .header("content-type", sound.contentType)
        .header("accept-ranges", "bytes")
        .header("content-disposition", "attachment");
      const range = parseRange(request.headers.range, sound.bytes);
      if (range === "unsatisfiable")
        throw new Problem("range_not_satisfiable", `The file has ${sound.bytes} bytes.`, {
          headers: { "content-range": `bytes */${sound.bytes}` },
        });
      const part = range ?? { start: 0, end: sound.bytes - 1 };
      if (range !== undefined)
        void reply.code(206).header("content-range", `bytes ${range.start}-${range.end}/${sound.bytes}`);
      void reply.header("content-length", part.end - part.start + 1);
      return reply.send(sound.stream(part));
    },
  );
};

const notThere = (): Problem => new Problem("recording_not_found", "The dial has no recording with this id.");

const RECORDING = {
  operationId: "getRecording",
  tags: ["dials"],
  security: SECURITY.keyOrDialToken,
  summary: "Get a recording",
  description:
    "The sound of the call as a stereo WAV file, caller left and agent right. `Range` is understood, so players can seek.",
  params: ParamsSchema,
  response: {
    200: { description: "The file", content: { "audio/wav": { schema: { type: "string", format: "binary" } } } },
    206: { description: "A part of it", content: { "audio/wav": { schema: { type: "string", format: "binary" } } } },
    ...COMMON_PROBLEMS,
    ...problems(404, 416),
  },
};
