import { type ChildProcess, fork } from "node:child_process";
import { constants, setPriority, tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import type * as Jobs from "./worker.ts";

/** The server's side of a process that opens page files and writes PDFs (`process.ts`). */

export type JobName = keyof typeof Jobs;
export type JobCall = { name: JobName; job: object };

/** Processor seconds of a job so far, and resident bytes of its process. */
export type Usage = { cpu: number; memory: number };

export type ProcessReply = { value: unknown } | { error: { message: string; code: string | undefined } };
export type ProcessMessage = {
  usage: Usage;
  reply?: ProcessReply;
  /** The thread for jobs has ended. */
  broken?: { message: string; isOutOfMemory: boolean };
};

/** The job failed and its process goes on. `code` is a system error's. */
export class JobError extends Error {
  readonly code: string | undefined;
  constructor({ message, code }: { message: string; code: string | undefined }) {
    super(message);
    this.code = code;
  }
}

/** The process ended during a job. */
export class ProcessEnded extends Error {
  /** Whether the job exceeded the JavaScript heap. */
  readonly isOutOfMemory: boolean;
  constructor(message: string, isOutOfMemory = false) {
    super(message);
    this.isOutOfMemory = isOutOfMemory;
  }
}

export type PageProcess = {
  pid: number | undefined;
  /** Whether it has exited, by itself or killed; false while it is being killed. */
  hasEnded(): boolean;
  /** Runs one job and reports its usage meanwhile. Throws `JobError` or `ProcessEnded`. */
  run(call: JobCall, onUsage: (usage: Usage) => void): Promise<unknown>;
  /** Kills the process; resolves when it has ended. */
  kill(): Promise<void>;
};

// The build puts all programs into one folder.
const isSource = import.meta.url.endsWith(".ts");
const program = fileURLToPath(new URL(isSource ? "./process.ts" : "./page-worker.js", import.meta.url));

/** No secrets of the server for code that opens untrusted files; few arenas and threads, so that memory is returned. */
const processEnvironment = () => ({ TMPDIR: tmpdir(), MALLOC_ARENA_MAX: "2", UV_THREADPOOL_SIZE: "2" });

/** Starts a process, which keeps the server alive only while it runs a job. */
export function startPageProcess(): PageProcess {
  const child = fork(program, [], {
    // PDFium is loaded anew once it has grown, and its old memory must be free by then.
    execArgv: ["--expose-gc"],
    env: processEnvironment(),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  // Staff's pages are answered first if the processor is short.
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let end: (error: Error) => void = () => {};
  let receive: (message: ProcessMessage) => void = () => {};
  const ended = new Promise<void>((resolve) => {
    const onEnd = (why: string) => {
      end(new ProcessEnded(why));
      resolve();
    };
    child.once("exit", (code, signal) => onEnd(`it ended with ${signal ?? code}`));
    child.once("error", (error) => onEnd(error.message));
  });
  child.on("message", (message: ProcessMessage) => receive(message));
  hold(child, false);
  return {
    pid: child.pid,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    run(call, onUsage) {
      hold(child, true);
      return new Promise<unknown>((resolve, reject) => {
        end = reject;
        receive = ({ usage, reply, broken }) => {
          onUsage(usage);
          if (broken) reject(new ProcessEnded(broken.message, broken.isOutOfMemory));
          if (!reply) return;
          if ("error" in reply) reject(new JobError(reply.error));
          else resolve(reply.value);
        };
        child.send(call, (error) => error && reject(new ProcessEnded(error.message)));
      }).finally(() => {
        hold(child, false);
        [receive, end] = [() => {}, () => {}];
      });
    },
    async kill() {
      child.ref();
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function hold(child: ChildProcess, isHeld: boolean) {
  if (isHeld) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}
