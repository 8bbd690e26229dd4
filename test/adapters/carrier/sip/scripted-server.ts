import { createSocket } from "node:dgram";
import { headerOf, serializeMessage, type SipRequest } from "../../../../src/adapters/carrier/sip/message.ts";
import { parseMessage } from "../../../../src/adapters/carrier/sip/parse-message.ts";
import { parseUri } from "../../../../src/adapters/carrier/sip/sip-address.ts";
import { answerTo } from "../../../../src/adapters/carrier/sip/transactions.ts";

type Answers = readonly Readonly<{ status: number; headers?: readonly (readonly [string, string])[] }>[];

/** A server over UDP that answers each INVITE by a list, and everything else by 200. What it was asked is kept, repetitions left out. */
export const scriptedServer = async (answersTo: (user: string) => Answers) => {
  const socket = createSocket("udp4");
  const asked: SipRequest[] = [];
  let otherwise = 200;
  const invites = new Map<string, Readonly<{ invite: SipRequest; answer(status: number): void }>>();
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  socket.on("message", (data, from) => {
    const request = parseMessage(data);
    if (request?.type !== "request") return;
    const key = `${headerOf(request, "via")} ${request.method}`;
    const known = asked.some((each) => `${headerOf(each, "via")} ${each.method}` === key);
    if (!known) asked.push(request);
    if (request.method === "ACK" || known) return;
    const send = (to: SipRequest, status: number, headers: readonly (readonly [string, string])[] = []) =>
      socket.send(serializeMessage(answerTo(to, status, { tag: "server", headers })), from.port, from.address);
    if (request.method === "INVITE") {
      invites.set(headerOf(request, "call-id") ?? "", { invite: request, answer: (status) => send(request, status) });
      for (const { status, headers } of answersTo(parseUri(request.uri)?.user ?? "")) send(request, status, headers);
      return;
    }
    send(request, otherwise);
    const withdrawn = invites.get(headerOf(request, "call-id") ?? "");
    if (request.method === "CANCEL" && withdrawn !== undefined) send(withdrawn.invite, 487);
  });
  return {
    port: socket.address().port,
    asked,
    /** Answers a call's INVITE later. */
    answer: (callId: string, status: number) => invites.get(callId)?.answer(status),
    /** Answers everything but INVITEs so from now on. */
    refuse: (status: number) => (otherwise = status),
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
};
