import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";

/** What a script said and how it ended. */
export type Outcome = Readonly<{ code: number | null; stdout: string; stderr: string }>;

/**
 * A clone of the project with the real scripts, one small package and a program that prints how it was started, in a folder whose
 * name has a space.
 */
export class Clone {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), "call engine-")));
  readonly root = join(this.home, "a clone");
  /** A folder of programs that comes first on PATH. */
  readonly programs = join(this.home, "programs");

  constructor() {
    mkdirSync(join(this.root, "src"), { recursive: true });
    mkdirSync(this.programs);
    cpSync(resolve(import.meta.dirname, "../../bin"), join(this.root, "bin"), { recursive: true });
    this.write("package.json", '{ "type": "module" }');
    this.lock("1.0.0");
    this.write(
      "src/main.ts",
      "const args: string[] = process.argv.slice(2);\nconsole.log(JSON.stringify({ args, cwd: process.cwd() }));\n",
    );
    symlinkSync(process.execPath, join(this.programs, "node"));
  }

  write(path: string, content: string): void {
    const file = join(this.root, path);
    mkdirSync(resolve(file, ".."), { recursive: true });
    writeFileSync(file, content);
  }

  /** Locks the one package of the project at a version. */
  lock(version: string): void {
    this.write("package-lock.json", JSON.stringify({ packages: { "": {}, "node_modules/one": { version } } }));
  }

  /** Fills node_modules as npm would have. */
  install(): void {
    this.write("node_modules/one/package.json", "{}");
    copyFileSync(join(this.root, "package-lock.json"), join(this.root, "node_modules/.package-lock.json"));
  }

  /** Puts a shell script on PATH. */
  program(name: string, script: string): void {
    const file = join(this.programs, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }

  /** An npm that installs after a moment, and writes one line for each time it was asked to. */
  npm(installs = "true"): void {
    this.program(
      "npm",
      `case $1 in
        --version) echo 11.0.0 ;;
        ci)
          echo "$@" >>"${this.home}/npm-calls"
          rm -rf node_modules
          mkdir -p node_modules/one
          sleep 0.2
          ${installs} || exit 1
          echo '{}' >node_modules/one/package.json
          cp package-lock.json node_modules/.package-lock.json
          ;;
      esac`,
    );
  }

  /** Starts a script as the leader of its own process group, as a terminal does. */
  start(path: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): ChildProcess {
    return spawn(path.startsWith("/") ? path : join(this.root, path), args, {
      cwd: this.home,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { HOME: this.home, PATH: `${this.programs}:${process.env["PATH"] ?? ""}`, ...env },
    });
  }

  async run(path: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    const child = this.start(path, args, env);
    if (child.stdout === null || child.stderr === null) throw new Error("its output is piped");
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { code: typeof code === "number" ? code : null, stdout, stderr };
  }
}
