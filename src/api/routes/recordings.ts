import type { FastifyReply, FastifyRequest } from "fastify";
import { Type, type Static } from "typebox";
import { DialSchema } from "../../model/dial.ts";
import { RecordingActionSchema } from "../../model/recording-switch.ts";
import { switchRecording } from "../../dials/switch-recording.ts";
import { readDial } from "../../dials/read-dial.ts";
import { callerOf } from "../auth.ts";
import { Problem } from "../problem.ts";
import { parseRange } from "../range.ts";
import {
  BODY_PROBLEMS,
  COMMON_PROBLEMS,
  IdParamsSchema,
  problems,
  SECURITY,
  type Api,
  type RouteDeps,
} from "../route.ts";

const ParamsSchema = Type.Object({ id: Type.String(), recordingId: Type.String() });

/** Streams the sound of a call: whole, or the part that a player asks for. */
export const recordingRoutes = (api: Api, deps: RouteDeps): void => {
  const { dials } = deps.store;
  const config = { access: "key-or-dial-token" } as const;
  const answer = async (
    request: FastifyRequest,
    { id, recordingId }: Static<typeof ParamsSchema>,
    reply: FastifyReply,
  ) => {
    const { workspaceId } = callerOf(request);
    const known = await dials.findRecording(workspaceId, id, recordingId);
    if (known === undefined) {
      await readDial(dials, "", workspaceId, id);
      throw notThere();
    }
    const sound = await deps.recorder.read(id, recordingId);
    if (sound === undefined) throw notThere();
    if (sound.address !== undefined) return reply.redirect(sound.address, 302);
    void reply
      .header("content-type", sound.contentType)
      .header("accept-ranges", "bytes")
      .header("content-disposition", "attachment");
    const isHead = request.method === "HEAD";
    // Ranges are defined for GET alone.
    const range = isHead ? undefined : parseRange(request.headers.range, sound.bytes);
    if (range === "unsatisfiable")
      throw new Problem("range_not_satisfiable", `The file has ${sound.bytes} bytes.`, {
        headers: { "content-range": `bytes */${sound.bytes}` },
      });
    const part = range ?? { start: 0, end: sound.bytes - 1 };
    if (range !== undefined)
      void reply.code(206).header("content-range", `bytes ${range.start}-${range.end}/${sound.bytes}`);
    void reply.header("content-length", part.end - part.start + 1);
    return reply.send(isHead ? undefined : await sound.stream(part));
  };
  const path = "/dials/:id/recordings/:recordingId";
  api.get(path, { schema: RECORDING, config, exposeHeadRoute: false }, async (request, reply) =>
    answer(request, request.params, reply),
  );
  api.head(path, { schema: { ...RECORDING, hide: true }, config }, async (request, reply) =>
    answer(request, request.params, reply),
  );
};

/** Changes whether a call that goes on is recorded. */
export const recordingSwitchRoutes = (api: Api, deps: RouteDeps): void => {
  const { dials } = deps.store;
  api.post("/dials/:id/recording", { schema: SWITCH }, async (request, reply) => {
    const { workspaceId } = callerOf(request);
    const { id: dialId } = request.params;
    await switchRecording({ ...deps, dials }, { workspaceId, dialId, action: request.body.action });
    return reply.code(202).send(await readDial(dials, `${deps.publicUrl()}/api`, workspaceId, dialId));
  });
};

const notThere = (): Problem => new Problem("recording_not_found", "The dial has no recording with this id.");

const SWITCH = {
  operationId: "switchRecording",
  tags: ["dials"],
  security: SECURITY.key,
  summary: "Allow, pause or resume a recording",
  description:
    "For a call that goes on. Of a pause both sides are silent in the recording, and its times stay those of the call. Followers of the " +
    "dial are told by a `recording` event. A call that is not recorded at all stays so.",
  params: IdParamsSchema,
  body: Type.Object(
    { action: RecordingActionSchema },
    { additionalProperties: false, examples: [{ action: "pause" }] },
  ),
  response: { 202: DialSchema, ...COMMON_PROBLEMS, ...BODY_PROBLEMS, ...problems(404, 409) },
};

const BINARY = { schema: { type: "string", format: "binary" } };
const SOUND = { "audio/wav": BINARY, "audio/ogg": BINARY };

const RECORDING = {
  operationId: "getRecording",
  tags: ["dials"],
  security: SECURITY.keyOrDialToken,
  summary: "Get a recording",
  description:
    "The sound of the call in stereo, caller left and agent right, as WAV or as Ogg with Opus; also while the call goes on, up to where it is. " +
    "`Range` is understood, so players can seek. Where recordings lie in an object store, the answer may be a redirect to an address there " +
    "that holds for five minutes.",
  params: ParamsSchema,
  response: {
    200: { description: "The file", content: SOUND },
    206: { description: "A part of it", content: SOUND },
    302: { description: "Where it lies, for five minutes", content: { "text/plain": { schema: { type: "string" } } } },
    ...COMMON_PROBLEMS,
    ...problems(404, 416),
  },
};
