import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import type { TLSSocket } from "node:tls";
import { z } from "zod";
import { type Config, isLoopback } from "#lib/config.ts";
import { commandProof, commandProofHeader } from "#lib/seal/command-proof.ts";
import { daysInMs, secondsInMs } from "#lib/units.ts";
import { version } from "../../package.json";
import { fail, type Finding, ok, warn } from "./finding.ts";

/** What PUBLIC_URL answers, as browsers reach it: through DNS, TLS and all proxies. */
export type Reply = {
  status: number;
  body: string;
  /** How far the clock there is ahead of ours; HTTP says it in whole seconds. */
  aheadMs: number | undefined;
  certificate: { validFrom: Date; validTo: Date; fault: string | undefined } | undefined;
};

const timeoutMs = secondsInMs(10);
const maxLength = 64 * 1024;

/** Of TEST-NET-1: no client has it, so that it is recognised among those that proxies add. */
const forged = "192.0.2.1";

/** Requests a path of PUBLIC_URL. Throws if there is no reply; an untrusted certificate is in the reply. */
export function requestPublic({ PUBLIC_URL, SESSION_SECRET }: Config, path: string): Promise<Reply> {
  const headers = { [commandProofHeader]: commandProof(SESSION_SECRET[0]), "x-forwarded-for": forged };
  const request = PUBLIC_URL.startsWith("https:") ? requestHttps : requestHttp;
  const options = { headers, agent: false as const, signal: AbortSignal.timeout(timeoutMs), rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${PUBLIC_URL}${path}`, options, (reply) => readReply(reply).then(resolve, reject));
    outgoing.on("error", reject).end();
  });
}

async function readReply(reply: IncomingMessage): Promise<Reply> {
  const date = Date.parse(reply.headers.date ?? "");
  const socket = reply.socket as Partial<TLSSocket>;
  const { valid_from, valid_to } = socket.getPeerCertificate?.() ?? {};
  const fault = socket.authorized ? undefined : String(socket.authorizationError);
  let body = "";
  for await (const chunk of reply.setEncoding("utf8") as AsyncIterable<string>) {
    body += chunk;
    if (body.length > maxLength) break;
  }
  return {
    status: reply.statusCode!,
    body,
    aheadMs: Number.isNaN(date) ? undefined : date - Date.now(),
    certificate:
      valid_from && valid_to ? { validFrom: new Date(valid_from), validTo: new Date(valid_to), fault } : undefined,
  };
}

const Arrival = z.object({ version: z.string(), host: z.string(), forwarded: z.array(z.string()), client: z.string() });

/** How the request arrived at the server; undefined if no server of this installation says so. */
function arrivalIn({ status, body }: Reply) {
  try {
    return status === 200 ? Arrival.parse(JSON.parse(body)) : undefined;
  } catch {
    return undefined;
  }
}

export function addressFinding({ PUBLIC_URL }: Config, reply: Reply): Finding {
  const arrival = arrivalIn(reply);
  if (!arrival) {
    return fail(
      `${PUBLIC_URL}/healthz answers ${reply.status}, but not as a server with this SESSION_SECRET`,
      "Compare the proxy's target and PUBLIC_URL; give this command the settings of the server.",
    );
  }
  const { host } = new URL(PUBLIC_URL);
  if (arrival.host !== host) {
    return fail(
      `the proxy passes the Host header on as ${arrival.host} instead of ${host}`,
      "Let it pass Host on unchanged, in nginx: proxy_set_header Host $host;",
    );
  }
  if (arrival.version !== version) {
    return warn(`the server is version ${arrival.version}, this command ${version}`, "Finish the upgrade.");
  }
  return ok(`${PUBLIC_URL} leads to version ${version}`);
}

/** Some are made for days or hours: they are renewed in their second half. */
const soonMs = ({ validFrom, validTo }: { validFrom: Date; validTo: Date }) =>
  Math.min(daysInMs(14), (validTo.getTime() - validFrom.getTime()) / 4);

export function certificateFinding({ PUBLIC_URL }: Config, { certificate }: Reply): Finding | undefined {
  if (!certificate) {
    if (isLoopback(new URL(PUBLIC_URL).hostname)) return undefined;
    return warn("PUBLIC_URL is without TLS", "Let a proxy terminate TLS, and begin PUBLIC_URL with https://.");
  }
  const { validTo, fault } = certificate;
  const until = validTo.toISOString().slice(0, 10);
  if (fault) {
    return fail(
      `browsers refuse the certificate (${fault}), which is valid until ${until}`,
      "Renew it, and serve its whole chain. For a certification authority of your own, set NODE_EXTRA_CA_CERTS here.",
    );
  }
  const isSoon = validTo.getTime() - Date.now() < soonMs(certificate);
  return isSoon ? warn(`the certificate ends on ${until}`, "See why it is not renewed.") : ok(`valid until ${until}`);
}

export function proxiesFinding({ TRUSTED_PROXIES }: Config, reply: Reply): Finding | undefined {
  const arrival = arrivalIn(reply);
  if (!arrival) return undefined;
  const { forwarded, client } = arrival;
  // A proxy may also drop what clients send, and begin the list itself.
  const proxies = forwarded[0] === forged ? forwarded.length - 1 : forwarded.length;
  if (proxies === TRUSTED_PROXIES) return ok(`TRUSTED_PROXIES=${TRUSTED_PROXIES} is right: this client is ${client}`);
  const meaning =
    proxies > TRUSTED_PROXIES
      ? `clients share the limits of ${client}`
      : `clients can choose their address: this one is ${client}`;
  return fail(
    `${proxies} proxies add to X-Forwarded-For, TRUSTED_PROXIES is ${TRUSTED_PROXIES}: ${meaning}`,
    `Set TRUSTED_PROXIES=${proxies}, or let each proxy append the address that called it.`,
  );
}

const Readiness = z.object({ missing: z.array(z.string()), degraded: z.array(z.string()) });

export function readinessFinding({ status, body }: Reply): Finding {
  const { missing, degraded } = Readiness.parse(JSON.parse(body));
  const advice = "See the checks of that name, and the server's log.";
  if (status !== 200) return fail(`the server is not ready: ${missing.join(", ")}`, advice);
  return degraded.length > 0
    ? warn(`the server is without: ${degraded.join(", ")}`, advice)
    : ok("the server is ready");
}
