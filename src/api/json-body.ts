import type { FastifyInstance, FastifyRequest } from "fastify";
import { Problem } from "./problem.ts";

/** Largest body where a route does not say otherwise, in bytes. */
export const BODY_LIMIT = 65_536;

/** Deepest nesting of arrays and objects; what our schemas need is four, the rest is for free-form inputs. */
const DEEPEST = 32;

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads `application/json` and nothing else: UTF-8, of bounded depth, without the names that poison prototypes, and without
 * characters that PostgreSQL cannot store (U+0000 and halves of surrogate pairs). An empty body is allowed where the route
 * wants none, since many clients send the header always.
 */
export const acceptJson = (app: FastifyInstance): void => {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, async (request: FastifyRequest, body: Buffer) => {
    refuseOtherForms(request);
    const text = decode(body);
    if (text === "" && !wantsBody(request)) return undefined;
    if (tooDeep(text)) throw new Problem("invalid_json", `The body is nested deeper than ${DEEPEST} levels.`);
    const value = await new Promise<unknown>((resolve, reject) => {
      void parse(request, text, (error, parsed: unknown) => {
        if (error) reject(new Problem("invalid_json", explain(text), { cause: error }));
        else resolve(parsed);
      });
    });
    refuseUnstorable(value, "");
    return value;
  });
};

/** What is compressed or in another character set would otherwise be read as if it were not, and refused for the wrong reason. */
const refuseOtherForms = ({ headers }: FastifyRequest): void => {
  const coding = headers["content-encoding"];
  if (coding !== undefined && coding !== "identity")
    throw new Problem("unsupported_media_type", "Send the body as it is, without Content-Encoding.");
  const charset = /;\s*charset="?([^";\s]+)/i.exec(headers["content-type"] ?? "")?.[1]?.toLowerCase();
  if (charset !== undefined && !/^utf-?8$/.test(charset))
    throw new Problem("unsupported_media_type", "Send the body in UTF-8.");
};

const wantsBody = (request: FastifyRequest): boolean => request.routeOptions.schema?.body !== undefined;

const decode = (body: Buffer): string => {
  try {
    return decoder.decode(body);
  } catch (error) {
    throw new Problem("invalid_json", "The body is not valid UTF-8.", { cause: error });
  }
};

const explain = (text: string): string =>
  text.trim() === ""
    ? "The body is empty; send a JSON object."
    : "The body is not valid JSON, or has a member named __proto__ or constructor.prototype.";

/** Counts brackets outside strings, before anything is built from them. */
const tooDeep = (text: string): boolean => {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (inString) {
      if (character === "\\") at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if (character === "}" || character === "]") depth -= 1;
  }
  return false;
};

/** The depth is bounded already, and so is the stack. */
const refuseUnstorable = (value: unknown, path: string): void => {
  if (typeof value === "string") {
    if (!isStorable(value))
      throw new Problem("validation_failed", `${path || "The body"} holds a character that cannot be stored.`, {
        errors: [{ path, message: "must not hold U+0000 or half of a surrogate pair" }],
      });
  } else if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) refuseUnstorable(inner, `${path}/${index}`);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      refuseUnstorable(name, path);
      refuseUnstorable(inner, `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    }
  }
};

/** Whether PostgreSQL takes a string as text and in JSON. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();
