import type { CallName } from "#provider/contract/calls.ts";
import { figures } from "#metrics";
import type { Asking } from "./client.ts";
import { asFailure } from "./failure.ts";

/** Makes a call and counts how it ended: with the provider's status, or why there is none that a page could use. */
export async function counted<T>(asking: Asking, call: CallName, make: (asking: Asking) => Promise<T>): Promise<T> {
  const end = figures.providerCallSeconds.startTimer({ call });
  let status: number | undefined;
  const send = async (request: Request) => {
    const response = await asking.send(request);
    status = response.status;
    return response;
  };
  const count = (ending: string) => {
    end();
    figures.providerCalls.inc({ call, status: ending });
  };
  try {
    const answer = await make({ ...asking, send });
    count(String(status));
    return answer;
  } catch (thrown) {
    if (asking.signal.aborted) count("aborted");
    else if (asFailure(thrown, 504)) count("late");
    else if (status === undefined) count("unreachable");
    else count(status < 300 ? "unreadable" : String(status));
    throw thrown;
  }
}
