import { LRUCache } from "lru-cache";
import { minutesInMs } from "#lib/units.ts";
import type { Call } from "../contract/call.ts";
import type { Services } from "../services.ts";
import type { CallRequest, PageCalls } from "./call-request.ts";
import { JsonReply } from "./replies.ts";

/** As JSON. In memory they take some times as much, and pages keep what they read of them. */
const maxCharacters = 4_000_000;

/**
 * Replies to what pages read, kept until anything is written (`docs/decisions/staff-pages.md`). The user is authorized before, each
 * time. What depends on the time, as whether a document has expired, is at most a minute old.
 */
export function keptReplies({ dataVersion, now }: Pick<Services, "dataVersion" | "now">) {
  const kept = new LRUCache<string, JsonReply>({
    maxSize: maxCharacters,
    sizeCalculation: ({ content }, key) => key.length + JSON.stringify(content).length,
  });
  let keptAt = "";

  /** The minute and the database's version. Nothing is kept any more of those before. */
  async function readMoment() {
    const moment = `${Math.floor(now().getTime() / minutesInMs(1))} ${await dataVersion()}`;
    if (moment !== keptAt) kept.clear();
    return (keptAt = moment);
  }

  return async function keepReply(
    { isKept, path }: Call,
    { params, query, token, isUncounted }: CallRequest,
    page: PageCalls | undefined,
    answer: () => Promise<JsonReply | Response>,
  ): Promise<JsonReply | Response> {
    if (!isKept || !page) return answer();
    // Read before the reply is: what is written meanwhile makes another version, of which nothing is kept yet.
    const at = await (page.moment ??= readMoment());
    const key = JSON.stringify([at, path, params, query, token, isUncounted]);
    const known = kept.get(key);
    if (known) return known;
    const reply = await answer();
    if (reply instanceof JsonReply) kept.set(key, reply);
    return reply;
  };
}
