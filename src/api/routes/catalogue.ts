import { Type } from "typebox";
import { voicesOf } from "../../dials/engines.ts";
import { AiModelSchema } from "../../model/ai-model.ts";
import { Nullable } from "../../model/nullable.ts";
import { PageQuerySchema } from "../../model/page.ts";
import { VoiceSchema } from "../../model/voice.ts";
import { callerOf } from "../auth.ts";
import { answerPage, pageInMemory } from "../pages.ts";
import { COMMON_PROBLEMS, pageOf, problems, SECURITY, type Api, type RouteDeps } from "../route.ts";

const VoicePageSchema = Type.Object(
  { voices: Type.Array(VoiceSchema), cursor: Nullable(Type.String()) },
  { description: "One page; `cursor` is null on the last." },
);

const VoiceQuerySchema = Type.Object(
  {
    ...PageQuerySchema.properties,
    name: Type.Optional(Type.String({ maxLength: 200, description: "Part of the name, in any case." })),
    voiceType: Type.Optional(Type.String({ maxLength: 200, description: "Exactly this provider or model type." })),
  },
  { additionalProperties: false },
);

/** What the deployment's providers offer. */
export const catalogueRoutes = (api: Api, deps: RouteDeps): void => {
  api.get("/models", { schema: MODELS }, async (request) => {
    const models = deps.engines.models.map(({ id, name, modelOptions }) => ({
      id,
      name,
      modelOptions: [...modelOptions],
    }));
    return answerPage(deps.pages, {
      query: request.query,
      workspaceId: callerOf(request).workspaceId,
      endpoint: "models",
      read: (page) => pageInMemory(models, page),
    });
  });

  api.get("/voices", { schema: VOICES }, async (request) => {
    const { name, voiceType, ...query } = request.query;
    const wanted = voicesOf(deps.engines).filter(
      (voice) =>
        (name === undefined || voice.name.toLowerCase().includes(name.toLowerCase())) &&
        (voiceType === undefined || voice.voiceType === voiceType),
    );
    const { workspaceId } = callerOf(request);
    const read = (page: Parameters<typeof pageInMemory>[1]) => pageInMemory(wanted, page);
    const { data, cursor } = await answerPage(deps.pages, { query, workspaceId, endpoint: "voices", read });
    return { voices: data, cursor };
  });
};

const shared = { tags: ["models and voices"], security: SECURITY.key };
const errors = { ...COMMON_PROBLEMS, ...problems(422) };

const MODELS = {
  ...shared,
  operationId: "listModels",
  summary: "List models",
  description: "The language models of this deployment, by id.",
  querystring: PageQuerySchema,
  response: { 200: pageOf(AiModelSchema), ...errors },
};

const VOICES = {
  ...shared,
  operationId: "listVoices",
  summary: "List voices",
  description: "The voices of this deployment, by id.",
  querystring: VoiceQuerySchema,
  response: { 200: VoicePageSchema, ...errors },
};
