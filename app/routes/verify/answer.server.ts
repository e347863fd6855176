import { LRUCache } from "lru-cache";
import { createContext } from "react-router";
import { minutesInMs } from "#units";
import { showInstant } from "../../components/format.ts";
import { offersFileCheck } from "../../server/forms/file-check.ts";
import type { Context } from "../../server/request/router-context.ts";
import { getNonce } from "../../server/request/security.ts";
import type { Outcome } from "./verdict.tsx";
import { check, checkAndRecord, type Opened, type Scanned } from "./check.server.ts";

/** Set while the page answers a report, which is no new scan. */
export const reportContext = createContext(false);

type Asked = { request: Request; context: Context; params: { code?: string; digits?: string }; url: URL };

/** All that the verification page shows, and what its response says beside. `found` is what was found already. */
export async function answerOf({ request, context, params, url }: Asked, found?: Opened) {
  const scanned = { code: params.code!, digits: params.digits ?? "", number: typedNumber(url) };
  const { outcome, status, retryAfter, scan } = context.get(reportContext)
    ? { ...(await check(context, scanned)), scan: "" }
    : await checkAndRecord(context, request, scanned, found);
  return {
    outcome,
    scan,
    checked: checkedNow(outcome),
    address: addressOf(scanned),
    nonce: getNonce(context),
    hasFileCheck: offersFileCheck(),
    status,
    retryAfter,
  };
}

/** When a code is checked, in its company's time zone. */
export function checkedNow(outcome: Outcome): string {
  const timezone = outcome.kind === "found" ? outcome.document.timezone : "Europe/London";
  const minute = Math.floor(Date.now() / minutesInMs(1));
  return minutes.memo(`${minute} ${timezone}`, { context: { timezone, minute } });
}

/** Formatting takes longer than the rest of a page that is kept. */
const minutes = new LRUCache<string, string, { timezone: string; minute: number }>({
  max: 1000,
  memoMethod: (_, __, { context: { timezone, minute } }) =>
    showInstant(new Date(minute * minutesInMs(1)).toISOString(), timezone).replace(" ", " at "),
});

export type Answer = Awaited<ReturnType<typeof answerOf>>;

/** The page's own address, of what of it can have been scanned or typed. */
const addressOf = ({ code, digits, number }: Scanned) => {
  const path = [code, digits].filter(Boolean).map(encodeURIComponent).join("/");
  return `/v/${path}${number && `?${new URLSearchParams({ number })}`}`;
};

/** The number on the paper, without invisible characters, which would be refused like a mistyped code. */
const typedNumber = ({ searchParams }: URL) =>
  (searchParams.get("number") ?? "").normalize("NFC").replace(/\p{C}/gu, "").trim().slice(0, 50).toWellFormed();
