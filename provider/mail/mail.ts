import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Transporter } from "nodemailer";
import { minutesInMs, secondsInMs } from "#lib/units.ts";

/** A message to one person, in plain text. */
export type Message = { to: string; subject: string; text: string };

/** A message with its Message-ID (without angle brackets) and date, the same for each attempt. */
export type OutgoingMessage = Message & { id: string; date: Date };

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

  constructor(reason: string, { isOfMessage = false, isPermanent = false } = {}) {
    super(reason.replace(/\btoken(=|%3D)[\w-]+/gi, "token=…"));
    this.isOfMessage = isOfMessage;
    this.isPermanent = isPermanent;
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
    async send({ id, ...message }) {
      transport ??= (await nodemailer()).createTransport({ url, ...timeoutsMs }, { from });
      const signal = AbortSignal.timeout(sendTimeoutMs);
      await transport.sendMail({ ...message, messageId: `<${id}>`, signal }).catch((error: unknown) => {
        throw asDeliveryError(error as SmtpError);
      });
    },
  };
}

type SmtpError = Error & { code?: string; command?: string; responseCode?: number };

/** A refused sender or password is a configuration error, which an operator can fix: it is retried. */
function asDeliveryError({ message, code = "", command, responseCode = 0 }: SmtpError) {
  const isOfMessage = ["EENVELOPE", "EMESSAGE"].includes(code) && command !== "MAIL FROM";
  return new DeliveryError(`${code} ${message}`, { isOfMessage, isPermanent: isOfMessage && responseCode >= 500 });
}

/** Writes messages to a folder if no mail server is configured, and calls `written` with each file's name. */
export function folderMail(folder: string, from: string, written: (file: string) => void): Mail {
  return {
    isFolder: true,
    async send({ id, date, ...message }) {
      const transport = (await nodemailer()).createTransport({ streamTransport: true, buffer: true }, { from });
      const { message: content } = await transport.sendMail({ ...message, date, messageId: `<${id}>` });
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
