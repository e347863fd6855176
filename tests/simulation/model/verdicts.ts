import { daysInMs } from "#lib/units.ts";
import { dayIn, type Fact, type World } from "./world.ts";

/** What a document is on a day, and what its code answers (docs/contract.md, "Verification", "End", "Copies"). */

/** The days that it may be for a company at an instant; around a jump of the clock, the neighbouring ones too. */
export function daysOf(world: World, company: string, at: Date): string[] {
  const zones = world.during("company", company, { began: world.step, ended: world.step });
  const moments = [0, 5000, ...(world.isNearJump(at) ? [-daysInMs(1), daysInMs(1)] : [])];
  const instants = moments.map((milliseconds) => new Date(at.getTime() + milliseconds));
  return [...new Set(zones.flatMap((zone) => instants.map((instant) => dayIn(String(zone!.timezone), instant))))];
}

/** in force, withdrawn or expired; undefined if a job may have changed it. The expire date is the last day in force. */
export function validityOn({ withdrawn, expire_date }: Fact, day: string): string | undefined {
  if (withdrawn === undefined || expire_date === undefined) return undefined;
  if (withdrawn) return "withdrawn";
  return expire_date !== "" && expire_date < day ? "expired" : "in force";
}

const sameNumber = (a: string, b: string) =>
  a.normalize("NFC").trim().toLowerCase() === b.normalize("NFC").trim().toLowerCase();

/** The verdicts that a code may answer; undefined stands for one that the papers leave open. */
export function verdictsOf(document: Fact, copy: number, days: string[], number = ""): (string | undefined)[] {
  return days.flatMap((day) => {
    const validity = validityOn(document, day);
    const isLost = document.lost_copies?.includes(copy);
    const own = !isLost ? [validity] : validity === "in force" ? ["copy withdrawn"] : [validity, "copy withdrawn"];
    if (number === "" || (document.number && sameNumber(number, document.number))) return own;
    // A number one slip away is asked for again, and then another's.
    return [...own, "other paper"];
  });
}
