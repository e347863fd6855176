import { open } from "./papers.ts";
import type { Habit } from "./visitor.ts";

/** Strangers scan papers from several towns; forgers change codes and guess what is not theirs. */

const towns = [
  { latitude: 53.8, longitude: -1.55 },
  { latitude: 52.5, longitude: 13.4 },
  { latitude: -36.85, longitude: 174.76 },
];

export const scan: Habit = async (visitor) => {
  const paper = visitor.pick(visitor.company.papers);
  if (!paper) return;
  for (let times = 1 + visitor.choices.below(2); times > 0; times--) {
    const key = await open(visitor, paper, visitor.choices.happens(0.3) ? paper.number : undefined);
    const body = { scan: key, ...visitor.pick(towns), accuracy: 20 };
    if (key && visitor.choices.happens(0.6))
      await visitor.anonymously("locateScan", { params: { code: paper.code }, body });
  }
};

export const complain: Habit = async (visitor) => {
  const paper = visitor.pick(visitor.company.papers);
  const key = paper && (await open(visitor, paper));
  if (!key) return;
  const send = () =>
    visitor.anonymously("complain", { params: { code: paper.code }, body: { scan: key, text: "The name is wrong" } });
  await Promise.allSettled([send(), visitor.choices.happens(0.3) ? send() : undefined]);
};

/** Another number on a true code, and a code with one other character. */
export const forge: Habit = async (visitor) => {
  const paper = visitor.pick(visitor.company.papers);
  if (!paper) return;
  await open(visitor, paper, `${paper.number}9`);
  const at = visitor.choices.below(paper.code.length);
  await open(visitor, { code: `${paper.code.slice(0, at)}7${paper.code.slice(at + 1)}` });
};

/** A member of another company tries ids of this one. */
export const guess: Habit = async (visitor) => {
  const { companies, company, choices } = visitor;
  const other = visitor.pick(companies.filter((one) => one !== company))!;
  const insider = visitor.pick(other.people)!;
  const session = insider.sessions[0];
  const id = visitor.pick(company.papers)?.id ?? 1;
  const call = visitor.pick([
    "getDocument",
    "documentHistory",
    "exitDocument",
    "getUser",
    "getBranch",
    "getAlert",
  ] as const)!;
  visitor.me.person = insider.person;
  await visitor.as(session, call, { params: { id: choices.happens(0.5) ? id : 1 + choices.below(30) } });
  visitor.me.person = { name: visitor.me.name };
};
