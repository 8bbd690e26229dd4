import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { createAudio, deleteAudio, LONGEST_AUDIO_S, MOST_AUDIOS } from "../../catalogue/audio.ts";
import { AudioSchema } from "../../model/uploaded-audio.ts";
import { PageQuerySchema } from "../../model/page.ts";
import { callerOf } from "../auth.ts";
import { answerPage } from "../pages.ts";
import { Problem } from "../problem.ts";
import { COMMON_PROBLEMS, IdParamsSchema, pageOf, problems, SECURITY, type Api, type RouteDeps } from "../route.ts";

/** Two minutes of speech at 16 kHz, or half a minute in stereo as discs have it. Reading more would hold calls up. */
const UPLOAD_LIMIT = 5 * 1024 * 1024;

/** What clients call files of sound. The files themselves tell which of them they are. */
const SOUND_TYPES = [
  "audio/wav audio/x-wav audio/wave audio/vnd.wave",
  "audio/mpeg audio/mp3 audio/ogg audio/opus application/ogg audio/webm video/webm",
  "audio/flac audio/x-flac audio/mp4 audio/m4a audio/x-m4a video/mp4 audio/aac",
].flatMap((types) => types.split(" "));

/** Sounds that customers upload. */
export const audioRoutes = (api: Api, deps: RouteDeps): void => {
  const { catalogue } = deps.store;
  const useCase = { ...deps, catalogue };

  api.get("/audio", { schema: LIST }, async (request) => {
    const { workspaceId } = callerOf(request);
    return answerPage(deps.pages, {
      query: request.query,
      workspaceId,
      endpoint: "audio",
      read: (page) => catalogue.listAudio(workspaceId, page),
    });
  });

  api.delete("/audio/:id", { schema: DELETE }, async (request) =>
    deleteAudio(useCase, callerOf(request).workspaceId, request.params.id),
  );

  void api.register(async (plain) => {
    const uploads = plain as Api;
    acceptSound(uploads);
    uploads.post("/audio", { schema: CREATE, bodyLimit: UPLOAD_LIMIT }, async (request, reply) => {
      const { name } = request.query;
      const file = request.body as Buffer | undefined;
      if (file === undefined) throw new Problem("invalid_audio", "The body is empty; send a file of sound.");
      return reply.code(201).send(await createAudio(useCase, callerOf(request).workspaceId, name, file));
    });
  });
};

/** Sound instead of JSON, for the routes that are added afterwards. */
const acceptSound = (api: Api): void => {
  api.removeAllContentTypeParsers();
  const parse = async (request: FastifyRequest, body: Buffer) => {
    if (!["identity", undefined].includes(request.headers["content-encoding"])) throw unsupported();
    return body;
  };
  api.addContentTypeParser(SOUND_TYPES, { parseAs: "buffer", bodyLimit: UPLOAD_LIMIT }, parse);
  api.addContentTypeParser("*", async () => {
    throw unsupported();
  });
};

const unsupported = (): Problem =>
  new Problem(
    "unsupported_media_type",
    "Send a file of sound as it is, with its type in the header Content-Type, such as audio/wav or audio/mpeg.",
  );

const shared = { tags: ["audio"], security: SECURITY.key };

const LIST = {
  ...shared,
  operationId: "listAudio",
  summary: "List sounds",
  description: "Oldest first, without the sound itself.",
  querystring: PageQuerySchema,
  response: { 200: pageOf(AudioSchema), ...COMMON_PROBLEMS, ...problems(422) },
};

const CREATE = {
  ...shared,
  operationId: "uploadAudio",
  summary: "Upload a sound",
  description: `The body is a file of sound as it is, at most 5 MB and ${LONGEST_AUDIO_S} s: WAV (PCM, float, µ-law or A-law, at most 48000 samples a second), or, where the deployment has ffmpeg, MP3, Ogg, WebM, FLAC, M4A or AAC. A workspace may have ${MOST_AUDIOS} sounds.`,
  querystring: Type.Object(
    { name: Type.String({ minLength: 1, maxLength: 200, description: "For people." }) },
    { additionalProperties: false },
  ),
  // Bytes have no schema in OpenAPI 3.1.
  body: {
    content: Object.fromEntries(
      ["wav", "mpeg", "ogg", "webm", "flac", "mp4", "aac"].map((type) => [`audio/${type}`, { schema: {} }]),
    ),
  },
  response: { 201: AudioSchema, ...COMMON_PROBLEMS, ...problems(409, 413, 415, 422) },
};

const DELETE = {
  ...shared,
  operationId: "deleteAudio",
  summary: "Delete a sound",
  description: "Answers its record as it was.",
  params: IdParamsSchema,
  response: { 200: AudioSchema, ...COMMON_PROBLEMS, ...problems(404) },
};
