/** The queue is full, or the process was killed twice from outside: retry after `retryAfter` seconds. */
export class PageWorkBusy extends Error {
  readonly retryAfter: number;
  constructor(retryAfter = 10) {
    super("Sealdesk has too many pages to open just now. Try again in a moment.");
    this.retryAfter = retryAfter;
  }
}

export const failureReasons = ["time", "memory", "unreadable"] as const;
export type FailureReason = (typeof failureReasons)[number];

/** A permanent failure of a file or page: too much time or memory, or damage. */
export class PageWorkFailed extends Error {
  readonly reason: FailureReason;
  constructor(reason: FailureReason, options?: ErrorOptions) {
    super(messages[reason], options);
    this.reason = reason;
  }
}

const messages: Record<FailureReason, string> = {
  time: "This takes too much time to open. Save the original file again with less content, and issue it again.",
  memory: "This takes too much memory to open. Save the original file again with less content, and issue it again.",
  unreadable: "This is damaged and can’t be read. Save the original file again, and issue it again.",
};

/** A system error's code; the image library reports disk errors by message alone. */
export const systemCodeOf = ({ message, code }: Error & { code?: string }): string | undefined =>
  code ?? systemMessages.find(([words]) => words.test(message))?.[1];

const systemMessages: [RegExp, string][] = [
  [/no space left on device|disk quota exceeded/i, "ENOSPC"],
  [/input file is missing|no such file/i, "ENOENT"],
  [/permission denied|too many open files|input\/output error|unable to open for (read|write)/i, "EIO"],
];
