import { SMTPServer } from "smtp-server";
import { unfold } from "./mails.ts";
import { freePort } from "./postgres.ts";

/** A message as the mail server took it, and its text unfolded. */
type Taken = { to: string; id: string; text: string; source: string };

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
  /** The same by recipient; to refuse the content it takes the recipient first. */
  answers: Record<string, MailServer["answer"] | { content: 451 | 554 }>;
  /** Called when a message was taken, before the sender learns it. */
  onTaken?(): void;
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
    answers: {},
    isHanging: false,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
  const answerTo = (address: string) => state.answers[address] ?? state.answer;
  const refusal = (responseCode: number) => Object.assign(new Error("Not now"), { responseCode });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    // Each greeting would wait up to 1.5 s for a DNS server that answers nothing about 127.0.0.1.
    disableReverseLookup: true,
    closeTimeout: 0,
    onRcptTo({ address }, _session, callback) {
      const answer = answerTo(address);
      if (typeof answer !== "number") return callback();
      state.refused.push(address);
      callback(refusal(answer));
    },
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      const { address } = envelope.rcptTo[0]!;
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const answer = answerTo(address);
        if (answer === "hang") return void (state.isHanging = true);
        if (typeof answer === "object") {
          state.refused.push(address);
          return callback(refusal(answer.content));
        }
        state.taken.push(read(address, Buffer.concat(chunks).toString()));
        state.onTaken?.();
        callback();
      });
    },
  });
  // Connections of killed processes break.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(listening, "127.0.0.1", resolve));
  return state;
}

function read(to: string, source: string): Taken {
  const text = unfold(source);
  return { to, id: /^Message-ID: <(.+)>/im.exec(text)![1]!, text, source };
}
