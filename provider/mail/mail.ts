import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";

/** A message to one person, in plain text. */
export type Message = { to: string; subject: string; text: string };

export type Mail = {
  /** Sends a message. Rejects where the server refused it or could not be reached. */
  send(message: Message): Promise<void>;
};

/** Sends by SMTP. */
export function smtpMail(url: string, from: string): Mail {
  const transport = createTransport(url, { from });
  return {
    async send(message) {
      await transport.sendMail(message);
    },
  };
}

/** Writes messages to a folder instead, where no mail server is configured. `written` hears each file's name. */
export function folderMail(folder: string, from: string, written: (file: string) => void): Mail {
  const transport = createTransport({ streamTransport: true, buffer: true }, { from });
  return {
    async send(message) {
      const { message: content } = await transport.sendMail(message);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = `${new Date().toISOString().replace(/[:.]/g, "-")}-${randomUUID().slice(0, 8)}.eml`;
      await writeFile(join(folder, file), content as Buffer, { mode: 0o600 });
      written(file);
    },
  };
}
