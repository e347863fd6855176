import { execFile } from "node:child_process";
import { OperatorKeyFailed } from "#lib/seal/operator-key.ts";
import { secondsInMs } from "#lib/units.ts";

/** How to use a PKCS #11 token, as the operator sets it. */
export type TokenSettings = {
  /** Path of the maker's module. */
  module: string;
  /** The token's label. */
  label: string;
  /** The label of the private key, or its ID in hexadecimal. */
  key: string;
  pin: string;
  /** The key's certificate and those above it, PEM. */
  certificates: string;
  /** Environment variables of the tool, for the maker's module. */
  environment: Record<string, string | undefined>;
  /** The program, `pkcs11-tool` of OpenSC. */
  tool?: string;
  timeoutMs?: number;
};

/** A token that can't be used now. */
export class TokenFailed extends OperatorKeyFailed {
  readonly reason: "not installed" | "not loaded" | "pin" | "other";
  constructor(message: string, reason: TokenFailed["reason"] = "other") {
    super(message);
    this.reason = reason;
  }
}

const longestOutput = 256 * 1024;

/** Requests to a token, each by a process of its own. All throw `TokenFailed`. */
export function tokenTool({ module, label, pin, environment, ...limits }: TokenSettings) {
  const { tool = "pkcs11-tool", timeoutMs = secondsInMs(10) } = limits;
  // Arguments can be read by every user of the machine.
  const env = { ...environment, SEAL_TOKEN_PIN: pin };
  const login = ["--token-label", label, "--login", "--pin", "env:SEAL_TOKEN_PIN"];

  function run(args: string[], input: Uint8Array = Buffer.of()): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const options = { env, encoding: "buffer", maxBuffer: longestOutput } as const;
      const child = execFile(tool, ["--module", module, ...args], options, (error, stdout, stderr) => {
        clearTimeout(timer);
        if (error) reject(failureOf(error, String(stderr)));
        else resolve(stdout);
      });
      // Unlike `timeout`, this doesn't wait for a process that hangs in a driver and can't be killed.
      const timer = setTimeout(() => {
        reject(new TokenFailed(`the token did not answer within ${timeoutMs / 1000} s`));
        child.kill("SIGKILL");
      }, timeoutMs);
      // A tool that ended early has printed why.
      child.stdin?.on("error", () => {}).end(input);
    });
  }

  function failureOf({ code }: Error & { code?: unknown }, stderr: string): TokenFailed {
    if (code === "ENOENT" || code === "EACCES") {
      return new TokenFailed(`${tool}, which uses it, is not installed (Debian: opensc)`, "not installed");
    }
    const words = /^sc_dlopen failed: (.*)$/m.exec(stderr)?.[1];
    if (words) return new TokenFailed(`the module can't be loaded (${words.slice(0, 300)})`, "not loaded");
    const returnCode = /rv = (CKR_\w+)/.exec(stderr)?.[1];
    if (returnCode?.startsWith("CKR_PIN_")) return new TokenFailed(`the token refuses this PIN (${returnCode})`, "pin");
    const line = returnCode ?? /^error: (.*)$/m.exec(stderr)?.[1] ?? `${tool} ended with ${String(code)}`;
    return new TokenFailed(`the token fails (${line.slice(0, 300)})`);
  }

  return {
    /** Lists the module's tokens, without the PIN. */
    tokens: async () => tokensIn(String(await run(["--list-token-slots"]))),
    /** Lists the token's private keys. */
    keys: async () => keysIn(String(await run([...login, "--list-objects", "--type", "privkey"]))),
    /** The raw signature of `input` by a key. The tool knows it by its ID alone. */
    sign: (id: string, mechanism: string, input: Uint8Array) =>
      run([...login, "--sign", "--id", id, "--mechanism", mechanism], input),
  };
}

const tokensIn = (listing: string) =>
  [...listing.matchAll(/^ *token label *: ?(.*)$[^]*?^ *token flags *: ?(.*)$/gm)].map(([, label, flags]) => ({
    label: label!.trim(),
    flags: flags!,
  }));

const keysIn = (listing: string) =>
  [...listing.matchAll(/^Private Key Object; *(\w*).*\n((?:[ \t].*\n?)*)/gm)].map(([, kind, lines]) => ({
    kind: kind!,
    label: /^ *label: *(.*)$/m.exec(lines!)?.[1]!.trim(),
    id: /^ *ID: *([0-9a-f]+)$/im.exec(lines!)?.[1]!.toLowerCase(),
  }));
