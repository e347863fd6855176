import type { Signature } from "#provider/contract/signatures.ts";
import { Verification } from "#provider/contract/verify.ts";
import { config } from "#lib/config.ts";
import { secondsInMs } from "#lib/units.ts";
import { resources } from "../process/resources.ts";
import { timedOut } from "./failure.ts";
import { refusalOf } from "./refusals.ts";

export type Opening = { document: Verification; signature: Signature | undefined; scan: string };

type Asked = {
  code: string;
  digits: string;
  clientAddress: string;
  token: string | undefined;
  hostCompany: number | undefined;
};

const { PROVIDER_TIMEOUT } = config();

export const opensCodes = () => resources().embedded !== undefined;

/** A code's document, signature and stored scan, without requests, which take longer than all else. Throws as `verify`. */
export async function openCode({ code, digits, ...from }: Asked): Promise<Opening> {
  const embedded = resources().embedded!;
  const opened = await inTime(embedded.openCode({ code, digits }, from));
  if (opened instanceof Response) throw await refusalOf({ endSession() {}, page: "/v" }, "verify", opened);
  const { verification, signature, scan } = opened;
  return { document: Verification.parse(verification), signature, scan };
}

/** Throws as calls by requests do if the database does not answer. */
async function inTime<T>(opening: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut("openCode", PROVIDER_TIMEOUT)), secondsInMs(PROVIDER_TIMEOUT));
  });
  try {
    return await Promise.race([opening, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
