import { Type, type TObject } from "typebox";

export type VendorEnv = Readonly<Record<string, string | undefined>>;

/** A vendor's own variables: the key, and the address where it is another one. */
export type VendorVariables = Readonly<{
  schema: TObject;
  /** What is wrong with the environment, and what to do; `true` when nothing is. */
  check(env: VendorEnv): true | string;
  /** @throws {Error} where {@link check} finds something wrong. */
  read(env: VendorEnv): Readonly<{ apiKey: string; baseUrl: string }>;
}>;

/** `<prefix>_API_KEY` and `<prefix>_BASE_URL`; `address` is the vendor's own, without a slash at the end. */
export const vendorVariables = (prefix: string, address: string): VendorVariables => {
  const [key, url] = [`${prefix}_API_KEY`, `${prefix}_BASE_URL`] as const;
  const text = (env: VendorEnv, name: string): string => env[name]?.trim() ?? "";
  const check = (env: VendorEnv): true | string => {
    if (text(env, key) === "") return `${key} is not set; set it to a key of the vendor`;
    const given = text(env, url);
    const usable = given === "" || (URL.canParse(given) && /^https?:/u.test(given));
    return usable || `${url} is not an http or https address`;
  };
  return {
    schema: Type.Object({
      [key]: Type.String({ minLength: 1 }),
      [url]: Type.Optional(Type.String({ pattern: "^https?://" })),
    }),
    check,
    read: (env) => {
      const problem = check(env);
      if (problem !== true) throw new Error(problem);
      return { apiKey: text(env, key), baseUrl: (text(env, url) || address).replace(/\/+$/u, "") };
    },
  };
};

/** The same address for websockets. */
export const socketUrl = (baseUrl: string): string => baseUrl.replace(/^http/u, "ws");
