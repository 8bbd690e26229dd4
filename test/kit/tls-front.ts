import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";

/**
 * Puts TLS before servers on loopback, for clients that speak nothing less. The whole process trusts its certificate until it is closed.
 * `before` answers the address of a server with TLS.
 */
export const tlsFront = async () => {
  const folder = await mkdtemp(join(tmpdir(), "call-engine-tls-"));
  const [certPath, keyPath] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  await promisify(execFile)("openssl", ["req", "-x509", ...kind, ...subject, "-keyout", keyPath, "-out", certPath]);
  const [cert, key] = await Promise.all([readFile(certPath, "utf8"), readFile(keyPath, "utf8")]);
  await rm(folder, { recursive: true });
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, cert]);
  const closing: (() => void)[] = [() => setDefaultCACertificates(trusted)];
  return {
    before: async (url: string): Promise<string> => {
      const { port, pathname } = new URL(url);
      const server = createServer({ cert, key }, (near) => {
        const far = connect({ port: Number(port), host: "127.0.0.1" });
        for (const [one, other] of [
          [near, far],
          [far, near],
        ] as const) {
          one.pipe(other);
          one.on("error", () => other.destroy());
          one.on("close", () => other.destroy());
        }
        closing.push(() => near.destroy());
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      closing.push(() => server.close());
      return `https://127.0.0.1:${(server.address() as AddressInfo).port}${pathname === "/" ? "" : pathname}`;
    },
    close: (): void => {
      for (const close of closing.splice(0)) close();
    },
  };
};
