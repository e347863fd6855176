import { SMTPServer } from "smtp-server";
import { unfold } from "./mails.ts";
import { freePort } from "./postgres.ts";

/** A message as the mail server took it, its text unfolded. */
type Taken = { to: string; id: string; text: string };

/** A mail server on the loopback address. */
export type MailServer = {
  port: number;
  /** For `SMTP_URL`. */
  url: string;
  taken: Taken[];
  /** The recipients that it refused, one for each try. */
  refused: string[];
  /** Accepts messages, refuses their recipients with a code, or never answers their content. */
  answer: "take" | 451 | 550 | "hang";
  /** Whether a message waits for an answer. */
  isHanging: boolean;
  stop(): Promise<void>;
};

/** Starts one, on a port that is free unless said otherwise. */
export async function startMailServer(port?: number): Promise<MailServer> {
  const listening = port ?? (await freePort());
  const state: MailServer = {
    port: listening,
    url: `smtp://127.0.0.1:${listening}`,
    taken: [],
    refused: [],
    answer: "take",
    isHanging: false,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    // Each greeting would wait up to 1.5 s for a DNS server that answers nothing about 127.0.0.1.
    disableReverseLookup: true,
    closeTimeout: 0,
    onRcptTo({ address }, _session, callback) {
      if (typeof state.answer === "string") return callback();
      state.refused.push(address);
      callback(Object.assign(new Error("Not now"), { responseCode: state.answer }));
    },
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (state.answer === "hang") return void (state.isHanging = true);
        state.taken.push(read(envelope.rcptTo[0]!.address, Buffer.concat(chunks).toString()));
        callback();
      });
    },
  });
  // Connections of killed processes break.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(listening, "127.0.0.1", resolve));
  return state;
}

function read(to: string, message: string): Taken {
  const text = unfold(message);
  return { to, id: /^Message-ID: <(.+)>/im.exec(text)![1]!, text };
}
