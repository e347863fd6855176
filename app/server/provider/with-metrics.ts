import type { CallName } from "#provider/contract/calls.ts";
import { metrics } from "#metrics";
import type { CallContext } from "./call-context.ts";
import { asFailure } from "./failure.ts";

/** Makes a call, and counts its duration and the provider's status, or why there is no usable response. */
export async function withMetrics<T>(
  context: CallContext,
  call: CallName,
  make: (context: CallContext) => Promise<T>,
): Promise<T> {
  const end = metrics.providerCallSeconds.startTimer({ call });
  let status: number | undefined;
  const send = async (request: Request) => {
    const response = await context.send(request);
    status = response.status;
    return response;
  };
  const count = (outcome: string) => {
    end();
    metrics.providerCalls.inc({ call, status: outcome });
  };
  try {
    const result = await make({ ...context, send });
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
