import { isIP } from "node:net";
import { connect } from "node:tls";
import { secondsInMs } from "#lib/units.ts";

/** A receiver of syslog messages over TLS (RFC 5425), with PEM of what it is verified by and shown. */
export type SyslogServer = {
  host: string;
  port: number;
  ca?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
};

/** RFC 5424's facility of audits, and severities. */
const facility = 13;
const severities = { warning: 4, notice: 5, info: 6 };

export type SyslogEvent = {
  severity: keyof typeof severities;
  at: string;
  hostname: string;
  /** Its kind; spaces become hyphens. */
  name: string;
  content: object;
};

/** A message of RFC 5424, whose text is the content as JSON. */
export const syslogMessage = ({ severity, at, hostname, name, content }: SyslogEvent): string =>
  `<${facility * 8 + severities[severity]}>1 ${at} ${hostname} sealdesk - ${name.replaceAll(" ", "-").slice(0, 32)} - ` +
  JSON.stringify(content);

/** Of connecting and of each silence after it. */
const timeoutMs = secondsInMs(15);

/**
 * Sends messages on a connection of their own. Syslog has no receipts: it resolves once the receiver has closed the connection
 * in reply to ours, as it must after it has read everything (RFC 5425, section 4.4).
 */
export function sendSyslog({ host, ...server }: SyslogServer, messages: string[], signal?: AbortSignal): Promise<void> {
  const frames = messages.map((message) => `${Buffer.byteLength(message)} ${message}`);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, ...(isIP(host) === 0 && { servername: host }), ...server });
    let [isSent, isAnswered] = [false, false];
    const stop = () => socket.destroy(new Error("the process ends"));
    signal?.addEventListener("abort", stop, { once: true });
    socket.setTimeout(timeoutMs, () =>
      socket.destroy(new Error(`no answer of the syslog server within ${timeoutMs} ms`)),
    );
    socket.once("secureConnect", () => socket.end(frames.join("")));
    socket.once("finish", () => (isSent = true));
    socket.once("end", () => (isAnswered = isSent));
    socket.once("error", reject);
    socket.once("close", () => {
      signal?.removeEventListener("abort", stop);
      if (isAnswered) resolve();
      else reject(new Error("the syslog server closed the connection before it had everything"));
    });
    socket.resume();
  });
}
