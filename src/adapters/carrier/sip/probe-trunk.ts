import { ask } from "./ask.ts";
import type { SipCallDeps } from "./call-deps.ts";
import { sipRequest } from "./message.ts";
import { escapeUser } from "./sip-address.ts";

/**
 * Asks the trunk if it is there (OPTIONS) or, for a user, where it believes them to be: a REGISTER without a contact changes nothing (RFC
 * 3261, section 10.2.3), and is asked for the password. Resolves with the status of the answer, and rejects as `ask` does.
 */
export const probeTrunk = async (deps: SipCallDeps, user: string | undefined): Promise<number> => {
  const { server, random } = deps;
  const uri = `sip:${server.host}:${server.port}`;
  const name = `<sip:${user === undefined ? "" : `${escapeUser(user)}@`}${server.host}>`;
  const [method, callId, tag] = [user === undefined ? "OPTIONS" : "REGISTER", random.secret(18), random.secret(9)];
  let sequence = 0;
  const to = await deps.locate(uri);
  const answer = await ask(
    deps,
    (more) => {
      sequence += 1;
      return sipRequest(method, uri, [
        ["from", `${name};tag=${tag}`],
        ["to", name],
        ["call-id", callId],
        ["cseq", `${sequence} ${method}`],
        ...(user === undefined ? [["contact", deps.contact()] as const] : []),
        ["user-agent", "call-engine"],
        ...more,
      ]);
    },
    to,
  );
  return answer.status;
};
