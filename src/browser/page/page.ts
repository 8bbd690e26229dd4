import type { BrowserCallOptions } from "../browser-call.ts";
import { CallView } from "./call-view.ts";
import { element } from "./elements.ts";
import { inviteMyself, listAgents, readCredential, takeInvitation } from "./invitation.ts";

const form = element("entry", HTMLFormElement);
const credential = element("credential", HTMLInputElement);
const agentField = element("agent-field", HTMLElement);
const agents = element("agent", HTMLSelectElement);
const agentId = element("agent-id", HTMLInputElement);
const problem = element("problem", HTMLElement);
const begin = element("begin", HTMLButtonElement);

const call = new CallView(() => {
  call.hide();
  form.hidden = false;
  credential.focus();
});

/** The newest key whose agents were asked for; a slow answer to an older one is thrown away. */
let asked = "";

const say = (error: unknown): void => {
  problem.textContent = error instanceof Error ? error.message : "Something went wrong.";
};

/** A key can choose among agents; a token belongs to a dial that has one. */
const offerAgents = async (): Promise<void> => {
  const given = readCredential(credential.value);
  asked = credential.value;
  agentField.hidden = given.kind === "token" || given.key === "";
  problem.textContent = "";
  if (given.kind === "token" || given.key === "") return;
  try {
    const found = await listAgents(given.key);
    if (asked !== credential.value) return;
    agents.replaceChildren(...(found ?? []).map(({ id, name }) => new Option(name, id)));
    agents.hidden = found === undefined;
    agentId.hidden = found !== undefined;
  } catch (error) {
    if (asked === credential.value) say(error);
  }
};

const dialFor = async (): Promise<Pick<BrowserCallOptions, "dialId" | "dialToken">> => {
  const given = readCredential(credential.value);
  if (given.kind === "token") return { dialId: given.dialId, dialToken: given.token };
  if (agents.options.length === 0 && agentId.hidden) await offerAgents();
  return inviteMyself(given.key, agentId.hidden ? agents.value : agentId.value.trim());
};

const submit = async (): Promise<void> => {
  problem.textContent = "";
  begin.disabled = true;
  try {
    const dial = await dialFor();
    const media = element("media", HTMLSelectElement).value as "auto" | "webrtc" | "socket";
    form.hidden = true;
    await call.begin({ ...dial, media });
    // A token works once.
    if (readCredential(credential.value).kind === "token") credential.value = "";
  } catch (error) {
    say(error);
  } finally {
    begin.disabled = false;
  }
};

credential.onchange = () => void offerAgents();
form.onsubmit = (event) => {
  event.preventDefault();
  void submit();
};

const invitation = takeInvitation();
element("invitation", HTMLElement).hidden = invitation === undefined;
if (invitation !== undefined) {
  credential.value = invitation;
  element("credential-field", HTMLElement).hidden = true;
  begin.focus();
}
