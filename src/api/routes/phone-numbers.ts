import { deletePhoneNumber, importPhoneNumber, updatePhoneNumber } from "../../catalogue/phone-numbers.ts";
import { PageQuerySchema } from "../../model/page.ts";
import { CreatePhoneNumberSchema, PhoneNumberSchema, UpdatePhoneNumberSchema } from "../../model/phone-number.ts";
import { callerOf } from "../auth.ts";
import { answerPage } from "../pages.ts";
import {
  BODY_PROBLEMS,
  COMMON_PROBLEMS,
  IdParamsSchema,
  pageOf,
  problems,
  SECURITY,
  type Api,
  type RouteDeps,
} from "../route.ts";

/** The numbers that calls are placed from. */
export const phoneNumberRoutes = (api: Api, deps: RouteDeps): void => {
  const { catalogue } = deps.store;
  const useCase = { ...deps, catalogue };

  api.get("/phone_numbers", { schema: LIST }, async (request) => {
    const { workspaceId } = callerOf(request);
    return answerPage(deps.pages, {
      query: request.query,
      workspaceId,
      endpoint: "phone_numbers",
      read: (page) => catalogue.listPhoneNumbers(workspaceId, page),
    });
  });

  api.post("/phone_numbers", { schema: IMPORT }, async (request, reply) =>
    reply.code(201).send(await importPhoneNumber(useCase, callerOf(request).workspaceId, request.body)),
  );

  api.put("/phone_numbers/:id", { schema: UPDATE }, async (request) =>
    updatePhoneNumber(useCase, callerOf(request).workspaceId, request.params.id, request.body),
  );

  api.delete("/phone_numbers/:id", { schema: DELETE }, async (request) =>
    deletePhoneNumber(useCase, callerOf(request).workspaceId, request.params.id),
  );
};

const shared = { tags: ["phone numbers"], security: SECURITY.key };

const LIST = {
  ...shared,
  operationId: "listPhoneNumbers",
  summary: "List phone numbers",
  description: "Oldest first. The id of one is the `fromNumberId` of a dial.",
  querystring: PageQuerySchema,
  response: { 200: pageOf(PhoneNumberSchema), ...COMMON_PROBLEMS, ...problems(422) },
};

const IMPORT = {
  ...shared,
  operationId: "importPhoneNumber",
  summary: "Import a phone number",
  description:
    "Takes in a number that you have at a carrier. `type` is PSTN unless it is given; `carrier` may be left out where only one is configured.",
  body: CreatePhoneNumberSchema,
  response: { 201: PhoneNumberSchema, ...COMMON_PROBLEMS, ...problems(409), ...BODY_PROBLEMS },
};

const UPDATE = {
  ...shared,
  operationId: "updatePhoneNumber",
  summary: "Update a phone number",
  description: "Changes the fields that are present. The number itself stays; import another instead.",
  params: IdParamsSchema,
  body: UpdatePhoneNumberSchema,
  response: { 200: PhoneNumberSchema, ...COMMON_PROBLEMS, ...problems(404), ...BODY_PROBLEMS },
};

const DELETE = {
  ...shared,
  operationId: "deletePhoneNumber",
  summary: "Delete a phone number",
  description: "Answers the number as it was. It stays yours at its carrier.",
  params: IdParamsSchema,
  response: { 200: PhoneNumberSchema, ...COMMON_PROBLEMS, ...problems(404) },
};
