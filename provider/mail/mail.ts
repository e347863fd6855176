import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { Transporter } from "nodemailer";
import type { PluginFunction } from "nodemailer/lib/mailer/index.js";
import { minutesInMs, secondsInMs } from "#lib/units.ts";

/** A message to one person, in plain text; `html` says the same. `sender` is a name in place of that of MAIL_FROM. */
export type Message = { to: string; subject: string; text: string; html?: string; sender?: string };

/**
 * A message with its Message-ID (without angle brackets) and date, the same for each attempt. `handOver` runs before the
 * mail server is asked to take it; if that rejects, it does not.
 */
export type OutgoingMessage = Message & { id: string; date: Date; handOver?(): Promise<void> };

export type Mail = {
  /** Sends a message. Rejects with `DeliveryError`. */
  send(message: OutgoingMessage): Promise<void>;
  /** Whether messages stay in a folder, so that users get none. */
  isFolder?: boolean;
};

/** Why a message was not sent, without the tokens of its links. */
export class DeliveryError extends Error {
  /** Whether it concerns this message alone; otherwise the others would fail as well. */
  readonly isOfMessage: boolean;
  /** Whether a retry is useless. */
  readonly isPermanent: boolean;
  /** What the mail server said. */
  readonly reply: string;

  constructor(reason: string, { isOfMessage = false, isPermanent = false, reply = "" } = {}) {
    super(reason.replace(/\btoken(=|%3D)[\w-]+/gi, "token=…"));
    this.isOfMessage = isOfMessage;
    this.isPermanent = isPermanent;
    this.reply = reply;
  }
}

/** Takes memory to load, which a start without messages can do without. */
const nodemailer = () => import("nodemailer");

export const sendTimeoutMs = minutesInMs(1);

const timeoutsMs = {
  connectionTimeout: secondsInMs(10),
  greetingTimeout: secondsInMs(10),
  dnsTimeout: secondsInMs(10),
  socketTimeout: secondsInMs(30),
};

/** Connects, signs in, and sends nothing. Rejects with `DeliveryError`. */
export async function checkSmtp(url: string): Promise<void> {
  const transport = (await nodemailer()).createTransport({ url, ...timeoutsMs });
  await transport.verify().catch((error: unknown) => {
    throw asDeliveryError(error as SmtpError);
  });
}

/** Sends by SMTP, each message over its own connection. */
export function smtpMail(url: string, from: string): Mail {
  let transport: Transporter | undefined;
  return {
    async send({ id, sender, ...message }) {
      transport ??= (await nodemailer()).createTransport({ url, ...timeoutsMs }).use("stream", beforeItsEnd);
      const signal = AbortSignal.timeout(sendTimeoutMs);
      const letter = { ...message, from: fromOf(from, sender), messageId: `<${id}>`, signal };
      await transport.sendMail(letter).catch((error: unknown) => {
        throw asDeliveryError(error as SmtpError);
      });
    },
  };
}

/** Runs `handOver` once all but the end of a message is sent, so that the answer alone is open after it. */
const beforeItsEnd: PluginFunction = ({ data, message }, done) => {
  const { handOver } = data as Pick<OutgoingMessage, "handOver">;
  if (handOver) {
    const flush = (ended: (error?: Error | null) => void) => void handOver().then(() => ended(), ended);
    message.transform(new PassThrough({ flush }));
  }
  done();
};

const fromOf = (from: string, name: string | undefined) =>
  name ? { name, address: /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from } : from;

type SmtpError = Error & { code?: string; command?: string; responseCode?: number; response?: string };

/** A refused sender or password is a configuration error, which an operator can fix: it is retried. */
function asDeliveryError({ message, code = "", command, responseCode = 0, response = "" }: SmtpError) {
  const isOfMessage = ["EENVELOPE", "EMESSAGE"].includes(code) && command !== "MAIL FROM";
  const isPermanent = isOfMessage && responseCode >= 500;
  return new DeliveryError(`${code} ${message}`, { isOfMessage, isPermanent, reply: response });
}

/** Writes messages to a folder if no mail server is configured, and calls `written` with each file's name. */
export function folderMail(folder: string, from: string, written: (file: string) => void): Mail {
  return {
    isFolder: true,
    async send({ id, date, sender, handOver: _, ...message }) {
      const transport = (await nodemailer()).createTransport({ streamTransport: true, buffer: true });
      const letter = { ...message, from: fromOf(from, sender), date, messageId: `<${id}>` };
      const { message: content } = await transport.sendMail(letter);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // A retry overwrites an incomplete file.
      const file = `${date.toISOString().replace(/[:.]/g, "-")}-${id.slice(0, 8)}.eml`;
      await writeFile(join(folder, file), content as Buffer, { mode: 0o600 });
      await removeOldest(folder);
      written(file);
    },
  };
}

/** Bounds the folder, as unauthenticated clients cause messages by requesting links. */
const maxFiles = 1000;

async function removeOldest(folder: string) {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".eml")).toSorted();
  for (const name of files.slice(0, -maxFiles)) await rm(join(folder, name), { force: true });
}
