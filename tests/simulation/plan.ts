import { daysInMs, minutesInMs } from "#lib/units.ts";
import { type Choices, choicesOf } from "./random.ts";
import { casts, founding, meetings } from "./people/cast.ts";

export type Visit = { n: number; who: string; habit: string };

/** `after` counts gates or commits; the clock of one process jumps by `ms`. */
export type Fault = {
  what: "kill" | "disk full" | "slow disk" | "lost commit" | "lost answer" | "clock jump" | "restore" | "upgrade";
  role: "server" | "worker";
  after: number;
  ms: number;
};

/** What happens at one time: visits that overlap, and a fault among them. At rest the model compares. */
export type Burst = { n: number; at: Date; visits: Visit[]; fault?: Fault; isRest?: boolean; isBackedUp?: boolean };

export type Plan = { start: Date; bursts: Burst[] };

/** Days whose next week has a year's end, a change of daylight saving time, a leap day, or nothing special. */
const starts = ["2027-06-07", "2026-12-29", "2027-03-24", "2027-10-27", "2027-12-28", "2028-02-25"];

/** The decisions of a seed: who does what when, and what fails. Any part of them can be left out. */
export function planOf(seed: number, weeks: number): Plan {
  const choices = choicesOf(seed, "plan");
  const start = new Date(`${starts[seed % starts.length]}T05:00:00Z`);
  const bursts: Burst[] = [];
  let visits = 0;
  const add = (at: number, who: { who: string; habit: string }[], more: Partial<Burst> = {}) => {
    const all = who.map((one) => ({ n: ++visits, ...one }));
    bursts.push({ n: bursts.length + 1, at: new Date(at), visits: all, ...more });
  };
  for (const [n, step] of founding.entries()) add(start.getTime() + minutesInMs(10 * n), step);
  const weighted = casts.flatMap((cast) => Array.from({ length: cast.often }, () => cast));
  for (let day = 0; day < 7 * weeks; day++) {
    const midnight = start.getTime() + daysInMs(day) - 5 * minutesInMs(60);
    const isWeekend = [0, 6].includes(new Date(midnight).getUTCDay());
    const times = Array.from({ length: isWeekend ? 5 : 20 }, () => 6 * 60 + choices.below(16 * 60)).toSorted(
      (a, b) => a - b,
    );
    for (const time of times) {
      const meeting = choices.happens(0.3) && choices.pick(meetings);
      const who = meeting || Array.from({ length: 1 + choices.below(4) }, () => choices.pick(weighted)!);
      const fault = choices.happens(0.12) && { fault: faultOf(choices) };
      if (day === 0 && time <= 8 * 60) continue;
      add(midnight + minutesInMs(time), who, fault || {});
      // People who meet often meet again soon.
      if (meeting && choices.happens(0.7)) add(midnight + minutesInMs(time + 1), meeting);
    }
    add(midnight + minutesInMs(23 * 60), [], { isRest: true });
  }
  for (const [n, { fault }] of bursts.entries()) {
    const night = bursts.slice(0, n).findLast(({ isRest }) => isRest);
    if (fault?.what === "restore" && night) night.isBackedUp = true;
  }
  return { start, bursts };
}

const faults = [
  "kill",
  "kill",
  "kill",
  "kill",
  "disk full",
  "slow disk",
  "lost commit",
  "lost answer",
  "clock jump",
  "restore",
  "upgrade",
] as const;

function faultOf(choices: Choices): Fault {
  const what = choices.pick(faults)!;
  const after = 1 + choices.below(what === "kill" ? 60 : 4);
  return { what, role: choices.pick(["server", "worker"])!, after, ms: minutesInMs(choices.below(240) - 120) };
}
