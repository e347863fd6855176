import { LRUCache } from "lru-cache";
import { createContext } from "react-router";
import { minutesInMs } from "#lib/units.ts";
import type { Language } from "#lib/messages/languages.ts";
import { wordsOf } from "#lib/messages/words.ts";
import { offersFileCheck } from "../../server/forms/file-check.ts";
import { zoneOf } from "../../server/provider/time-zone.ts";
import type { Context } from "../../server/request/router-context.ts";
import { getNonce } from "../../server/request/security.ts";
import { spokenIn } from "../../server/request/language.ts";
import { issuerLanguageOf, type Outcome } from "./verdict.tsx";
import { typedTwice } from "./typed-address.ts";
import { check, checkAndRecord, type Scanned } from "./check.server.ts";

/** Set while the page answers a report, which is no new scan. */
export const reportContext = createContext(false);

type Asked = { request: Request; context: Context; params: { code?: string; digits?: string }; url: URL };

export type Answer = Awaited<ReturnType<typeof answerOf>>;

/** All that the verification page shows, and what its response says beside. */
export async function answerOf({ request, context, params, url }: Asked) {
  const scanned = {
    code: params.code!,
    digits: params.digits ?? "",
    number: typedNumber(url),
    again: url.searchParams.has(typedTwice),
  };
  const { outcome, status, retryAfter, scan } = context.get(reportContext)
    ? { ...(await check(context, scanned)), scan: "" }
    : await checkAndRecord(context, request, scanned);
  const spoken = spokenIn(context, request);
  return {
    outcome,
    scan,
    checked: checkedNow(outcome, spoken.language),
    ...spoken,
    issuerLanguage: issuerLanguageOf(outcome),
    address: addressOf(scanned),
    nonce: getNonce(context),
    hasFileCheck: offersFileCheck(),
    status,
    retryAfter,
  };
}

type Checked = { date: string; time: string };

/** When a code is checked, in its company's time zone and the visitor's language. */
export function checkedNow(outcome: Outcome, language: Language): Checked {
  const timezone = outcome.kind === "found" ? outcome.document.timezone : "";
  const minute = Math.floor(Date.now() / minutesInMs(1));
  return minutes.memo(`${minute} ${language} ${timezone}`, { context: { timezone, minute, language } });
}

/** Formatting takes a tenth of a page's time. */
const minutes = new LRUCache<string, Checked, { timezone: string; minute: number; language: Language }>({
  max: 1000,
  memoMethod: (_, __, { context: { timezone, minute, language } }) => {
    const { zone, unknown } = zoneOf(timezone);
    const { date, time } = wordsOf(language).dayAndTime(new Date(minute * minutesInMs(1)), zone);
    // Visitors can't know which one was meant.
    return { date, time: unknown ? `${time} (${zone})` : time };
  },
});

/** The page's own address, of what of it can have been scanned or typed. */
const addressOf = ({ code, digits, number, again }: Scanned) => {
  const path = [code, digits].filter(Boolean).map(encodeURIComponent).join("/");
  return `/v/${path}${number && `?${new URLSearchParams({ number, ...(again && { [typedTwice]: "1" }) })}`}`;
};

/** The number on the paper, without invisible characters, which would be refused like a mistyped code. */
const typedNumber = ({ searchParams }: URL) =>
  (searchParams.get("number") ?? "").normalize("NFC").replace(/\p{C}/gu, "").trim().slice(0, 50).toWellFormed();
