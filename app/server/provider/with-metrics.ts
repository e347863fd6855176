import type { CallName } from "#provider/contract/calls.ts";
import { metrics } from "#lib/metrics.ts";
import { inSpan } from "#lib/tracing.ts";
import type { CallContext } from "./call-context.ts";
import { asFailure } from "./failure.ts";

export async function withMetrics<T>(
  context: CallContext,
  call: CallName,
  make: (context: CallContext) => Promise<T>,
): Promise<T> {
  const end = metrics.providerCallSeconds.startTimer({ call });
  let status: number | undefined;
  const noted = <Reply extends { status: number }>(reply: Reply) => {
    ({ status } = reply);
    return reply;
  };
  const { callInProcess } = context;
  const measured: CallContext = {
    ...context,
    send: async (request) => noted(await context.send(request)),
    callInProcess: callInProcess && (async (made, asked) => noted(await callInProcess(made, asked))),
  };
  const count = (outcome: string) => {
    end();
    metrics.providerCalls.inc({ call, status: outcome });
  };
  try {
    const kind = callInProcess ? {} : { kind: "client" as const };
    const result = await inSpan(call, kind, () => make(measured));
    count(String(status));
    return result;
  } catch (thrown) {
    if (context.signal.aborted) count("aborted");
    else if (asFailure(thrown, 504)) count("late");
    else if (status === undefined) count("unreachable");
    else count(status < 300 ? "unreadable" : String(status));
    throw thrown;
  }
}
