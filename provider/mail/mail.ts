import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { minutesInMs, secondsInMs } from "#units";

/** A message to one person, in plain text. */
export type Message = { to: string; subject: string; text: string };

/** A message as it leaves: at every try with the same id (without angle brackets) and the same date. */
export type OutgoingMessage = Message & { id: string; date: Date };

export type Mail = {
  /** Sends a letter. Rejects with `DeliveryError` where it was refused or nobody could be reached. */
  send(letter: OutgoingMessage): Promise<void>;
};

/** Why a letter was not sent, in words that hold no token. */
export class DeliveryError extends Error {
  /** Whether it is about this letter and its receiver; otherwise no other letter would get through either. */
  readonly isOfMessage: boolean;
  /** Whether trying again is of no use. */
  readonly isPermanent: boolean;

  constructor(reason: string, { isOfMessage = false, isPermanent = false } = {}) {
    super(reason.replace(/\btoken(=|%3D)[\w-]+/gi, "token=…"));
    this.isOfMessage = isOfMessage;
    this.isPermanent = isPermanent;
  }
}

/** The longest that one letter may take. */
export const sendTimeoutMs = minutesInMs(1);

/** Sends by SMTP, each letter over a connection of its own. */
export function smtpMail(url: string, from: string): Mail {
  const timeoutsMs = {
    connectionTimeout: secondsInMs(10),
    greetingTimeout: secondsInMs(10),
    dnsTimeout: secondsInMs(10),
    socketTimeout: secondsInMs(30),
  };
  const transport = createTransport({ url, ...timeoutsMs }, { from });
  return {
    async send({ id, ...letter }) {
      const signal = AbortSignal.timeout(sendTimeoutMs);
      await transport.sendMail({ ...letter, messageId: `<${id}>`, signal }).catch((error: unknown) => {
        throw asDeliveryError(error as SmtpError);
      });
    },
  };
}

type SmtpError = Error & { code?: string; command?: string; responseCode?: number };

/** That the sender is refused, or a password, is for whoever runs the server to mend: it is tried again. */
function asDeliveryError({ message, code = "", command, responseCode = 0 }: SmtpError) {
  const isOfMessage = ["EENVELOPE", "EMESSAGE"].includes(code) && command !== "MAIL FROM";
  return new DeliveryError(`${code} ${message}`, { isOfMessage, isPermanent: isOfMessage && responseCode >= 500 });
}

/** Writes letters to a folder instead, where no mail server is configured. `written` hears each file's name. */
export function folderMail(folder: string, from: string, written: (file: string) => void): Mail {
  const transport = createTransport({ streamTransport: true, buffer: true }, { from });
  return {
    async send({ id, date, ...letter }) {
      const { message: content } = await transport.sendMail({ ...letter, date, messageId: `<${id}>` });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // By date and id, so that what was cut off is written again in its own place.
      const file = `${date.toISOString().replace(/[:.]/g, "-")}-${id.slice(0, 8)}.eml`;
      await writeFile(join(folder, file), content as Buffer, { mode: 0o600 });
      await removeOldest(folder);
      written(file);
    },
  };
}

/** Strangers have messages written, by asking for links: the folder keeps the newest. */
const maxFiles = 1000;

async function removeOldest(folder: string) {
  const letters = (await readdir(folder)).filter((name) => name.endsWith(".eml")).toSorted();
  for (const name of letters.slice(0, -maxFiles)) await rm(join(folder, name), { force: true });
}
