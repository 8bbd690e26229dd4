import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** The part of npm's configuration that says where packages come from. */
export type NpmSettings = ReadonlyMap<string, string>;

/** npm's own default, used when nothing configures another. */
const DEFAULT_REGISTRY = "https://registry.npmjs.org/";

/**
 * Reads npm's settings as npm does, first hit wins: `npm_config_*` of the environment, then `.npmrc` of the project, of the user
 * and of the machine. Files that are not there count as empty.
 */
export const readNpmSettings = async (
  environment: Readonly<Record<string, string | undefined>>,
  projectFolder: string,
): Promise<NpmSettings> => {
  const settings = new Map<string, string>();
  for (const [name, value] of Object.entries(environment)) {
    const key = /^npm_config_(?<key>.+)$/i.exec(name)?.groups?.["key"];
    if (key !== undefined && value) settings.set(key.startsWith("/") ? key : key.toLowerCase(), value);
  }
  const home = environment["HOME"] || homedir();
  const files = [
    join(projectFolder, ".npmrc"),
    settings.get("userconfig") ?? join(home, ".npmrc"),
    settings.get("globalconfig") ?? join(dirname(dirname(process.execPath)), "etc", "npmrc"),
    // Where the official archive, NodeSource and Debian keep the machine's file.
    "/usr/local/etc/npmrc",
    "/usr/etc/npmrc",
    "/etc/npmrc",
  ];
  for (const file of files) {
    const text = await readFile(resolve(file), "utf8").catch(() => "");
    for (const [key, value] of parseNpmrc(text, environment)) if (!settings.has(key)) settings.set(key, value);
  }
  return settings;
};

/** The registry for a package, with a trailing slash; a scope may have its own. */
export const registryOf = (settings: NpmSettings, packageName: string): string => {
  const scope = /^(?<scope>@[^/]+)\//.exec(packageName)?.groups?.["scope"];
  const scoped = scope === undefined ? undefined : settings.get(`${scope}:registry`);
  const registry = scoped ?? settings.get("registry") ?? DEFAULT_REGISTRY;
  return registry.endsWith("/") ? registry : `${registry}/`;
};

/** The `Authorization` header that npm would send to a URL, by the longest configured prefix of it. */
export const authorizationFor = (settings: NpmSettings, url: string): string | undefined => {
  const { host, pathname } = new URL(url);
  const parts = pathname.split("/").filter(Boolean);
  for (let length = parts.length; length >= 0; length--) {
    const prefix = `//${[host, ...parts.slice(0, length)].join("/")}/`;
    const token = settings.get(`${prefix}:_authToken`);
    if (token !== undefined) return `Bearer ${token}`;
    const basic = settings.get(`${prefix}:_auth`);
    if (basic !== undefined) return `Basic ${basic}`;
  }
  return undefined;
};

/**
 * Where a package's archive is to be fetched from. Mirrors often repeat the address of npm's own registry in their answers; npm
 * then asks the mirror all the same, and so do we.
 */
export const archiveUrl = (registry: string, announced: string): string => {
  const url = new URL(announced);
  if (url.host !== new URL(DEFAULT_REGISTRY).host) return announced;
  return new URL(url.pathname.slice(1), registry).href;
};

const parseNpmrc = (
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): (readonly [string, string])[] => {
  const entries: (readonly [string, string])[] = [];
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*(?<key>[^;#=\s][^=]*?)\s*=\s*(?<value>.*?)\s*$/.exec(line);
    const key = match?.groups?.["key"];
    const raw = match?.groups?.["value"]?.replaceAll(/^["']|["']$/g, "");
    if (key === undefined || !raw) continue;
    entries.push([key, raw.replaceAll(/\$\{([^}]+)\}/g, (whole, name: string) => environment[name] ?? whole)]);
  }
  return entries;
};
