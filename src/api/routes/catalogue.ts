import { Type } from "typebox";
import { voicesOf } from "../../dials/engines.ts";
import { AgentSchema } from "../../model/agent.ts";
import { AiModelSchema } from "../../model/ai-model.ts";
import { Nullable } from "../../model/nullable.ts";
import { PageQuerySchema, PageSchema } from "../../model/page.ts";
import { PhoneNumberSchema } from "../../model/phone-number.ts";
import { VoiceSchema } from "../../model/voice.ts";
import type { PageRequest, Positioned } from "../../ports/store.ts";
import { callerOf } from "../auth.ts";
import { pageInMemory, type PageQuery } from "../pages.ts";
import { COMMON_PROBLEMS, problems, SECURITY, type Api, type RouteDeps } from "../route.ts";

const PAGE = { description: "One page; `cursor` is null on the last." };

const VoicePageSchema = Type.Object({ voices: Type.Array(VoiceSchema), cursor: Nullable(Type.String()) }, PAGE);

const VoiceQuerySchema = Type.Object(
  {
    ...PageQuerySchema.properties,
    name: Type.Optional(Type.String({ maxLength: 200, description: "Part of the name, in any case." })),
    voiceType: Type.Optional(Type.String({ maxLength: 200, description: "Exactly this provider or model type." })),
  },
  { additionalProperties: false },
);

/** The lists: what a workspace has configured, and what the deployment's providers offer. */
export const catalogueRoutes = (api: Api, deps: RouteDeps): void => {
  const { catalogue } = deps.store;
  const list = async <T>(
    query: PageQuery,
    workspaceId: string,
    endpoint: string,
    read: (page: PageRequest) => Positioned<T> | Promise<Positioned<T>>,
  ): Promise<{ data: T[]; cursor: string | null }> => {
    const { items, next } = await read(deps.pages.read(query, workspaceId, endpoint));
    return { data: [...items], cursor: deps.pages.cursor(next, workspaceId, endpoint) };
  };

  api.get("/agents", { schema: AGENTS }, async (request) => {
    const { workspaceId } = callerOf(request);
    return list(request.query, workspaceId, "agents", (page) => catalogue.listAgents(workspaceId, page));
  });

  api.get("/phone_numbers", { schema: PHONE_NUMBERS }, async (request) => {
    const { workspaceId } = callerOf(request);
    return list(request.query, workspaceId, "phone_numbers", (page) => catalogue.listPhoneNumbers(workspaceId, page));
  });

  api.get("/models", { schema: MODELS }, async (request) =>
    list(request.query, callerOf(request).workspaceId, "models", (page) =>
      pageInMemory(
        deps.engines.models.map(({ id, name, modelOptions }) => ({ id, name, modelOptions: [...modelOptions] })),
        page,
      ),
    ),
  );

  api.get("/voices", { schema: VOICES }, async (request) => {
    const { name, voiceType, ...query } = request.query;
    const wanted = voicesOf(deps.engines).filter(
      (voice) =>
        (name === undefined || voice.name.toLowerCase().includes(name.toLowerCase())) &&
        (voiceType === undefined || voice.voiceType === voiceType),
    );
    const { data, cursor } = await list(query, callerOf(request).workspaceId, "voices", (page) =>
      pageInMemory(wanted, page),
    );
    return { voices: data, cursor };
  });
};

const shared = { tags: ["catalogue"], security: SECURITY.key };
const errors = { ...COMMON_PROBLEMS, ...problems(422) };

const AGENTS = {
  ...shared,
  operationId: "listAgents",
  summary: "List agents",
  description: "Oldest first.",
  querystring: PageQuerySchema,
  response: { 200: { ...PageSchema(AgentSchema), ...PAGE }, ...errors },
};

const PHONE_NUMBERS = {
  ...shared,
  operationId: "listPhoneNumbers",
  summary: "List phone numbers",
  description: "Oldest first. The id of one is the `fromNumberId` of a dial.",
  querystring: PageQuerySchema,
  response: { 200: { ...PageSchema(PhoneNumberSchema), ...PAGE }, ...errors },
};

const MODELS = {
  ...shared,
  operationId: "listModels",
  summary: "List models",
  description: "The language models of this deployment, by id.",
  querystring: PageQuerySchema,
  response: { 200: { ...PageSchema(AiModelSchema), ...PAGE }, ...errors },
};

const VOICES = {
  ...shared,
  operationId: "listVoices",
  summary: "List voices",
  description: "The voices of this deployment, by id.",
  querystring: VoiceQuerySchema,
  response: { 200: VoicePageSchema, ...errors },
};
