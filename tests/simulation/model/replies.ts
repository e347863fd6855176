import { calls } from "../scim.ts";
import type { Observation } from "../observation.ts";
import { type Caller, callersOf, scopeOf } from "./access.ts";
import { agrees, changes, expected, factOf, isSame, states, tracked } from "./effects.ts";
import {
  before,
  every,
  isGood,
  isNamed,
  isRights,
  overlapping,
  rowsOf,
  type Seen,
  shown,
  subjectOf,
  textsOf,
  visible,
} from "./seen.ts";
import { judgeRelease } from "./releases.ts";
import { judgeReceived } from "./recipients.ts";
import { isOpen, sessionOf } from "./sessions.ts";
import { judgeSignOn } from "./sign-on.ts";
import { daysOf, validityOn, verdictsOf } from "./verdicts.ts";
import { bodyOf, type Fact, isHeld, type World } from "./world.ts";

/** What each reply has to keep, by the id of its promise. */

type Rule = (seen: Seen) => Iterable<string>;

const busy = [413, 415, 429, 503];

const rules: Record<string, Rule> = {
  *"P-01"({ world, observation: { at }, reply: { status, headers }, declared }) {
    const usual = [declared.status, 206, 304, 401, 403, 404, 416, 422, 429, 503, ...(declared.refusals ?? [])];
    if (status >= 500 && !(status === 503 && headers["retry-after"]) && !world.isNearFault(at))
      yield `failed with ${status}`;
    if (status < 500 && !usual.includes(status)) yield `answered ${status}, which the contract doesn't have`;
  },

  *"P-02"({ world, observation, reply: { status }, declared, callers }) {
    const isOut = every(callers, (caller) => caller === "out");
    if (observation.call === "login" && status === 200 && isOut && observation.by.company)
      yield "signed in though removed";
    if (declared.access === "public") return;
    const session = sessionOf(observation);
    const open = session
      ? isOpen(world, before({ world, observation }, "session", session), observation.at)
      : undefined;
    if ((open === false || isOut) && ![401, ...busy].includes(status))
      yield `answered ${status} to somebody signed out`;
    if (open && every(callers, isRights) && status === 401) yield "ended a session that is open";
  },

  *"P-03"({ observation, reply: { status, json }, declared: { access, path }, callers }) {
    if (typeof access === "string") return;
    const { area, right } = access;
    const granted = (one: Caller) => isRights(one) && scopeOf(one.permission(area), right) !== undefined;
    if (every(callers, (one) => isRights(one) && !granted(one)) && ![401, 403, 422, ...busy].includes(status)) {
      yield `answered ${status} without the right to ${right} ${area}`;
    }
    const isPlain = right === "read" || changes[observation.call]?.noun === "document";
    if (!isPlain || status !== 403 || json?.kind || !observation.by.email || path.includes("rules")) return;
    if (every(callers, granted)) yield `was refused in spite of the right to ${right} ${area}`;
  },

  *"P-05"(seen) {
    const { company, name } = seen.observation.by;
    for (const text of textsOf(seen.reply.json)) {
      const owners = seen.world.companiesOf(text);
      const isForeign = company ? !owners.has(company) : seen.observation.call === "verify";
      if (owners.size > 0 && isForeign) yield `showed ${text} to ${name}`;
    }
    for (const [noun, id, values] of shown(seen)) {
      if (company && every(values, (value) => !!value && value.company !== company))
        yield `showed another company's ${noun} ${id}`;
    }
  },

  *"P-07"(seen) {
    for (const [noun, id, values] of shown(seen)) {
      if (visible(seen, noun, values) === false) yield `showed ${noun} ${id}, which is out of reach`;
    }
  },

  *"P-08"(seen) {
    const { world, observation, reply, declared } = seen;
    const subject = subjectOf(seen);
    const values = subject ? before(seen, ...subject) : [];
    const isPlain =
      typeof declared.access === "object" &&
      (declared.path.match(/{/g) ?? []).length === 1 &&
      !("mediaTypes" in (declared.reply ?? {}));
    if (
      subject &&
      isPlain &&
      reply.status === 404 &&
      every(values, (value) => value !== undefined) &&
      visible(seen, subject[0], values)
    ) {
      yield `found no ${subject.join(" ")}, which was acknowledged`;
    }
    if (subject && isGood(reply) && every(values, (value) => value === undefined))
      yield `answered for ${subject.join(" ")}, which was removed`;
    for (const [noun, row] of rowsOf(seen)) {
      const facts = world.during(noun, row.id, observation).filter((value) => value !== undefined);
      const wrong = (fact: Fact) => tracked[noun]!.filter((field) => !isSame(fact[field], row[field]));
      if (every(facts, (fact) => !agrees(noun, fact, row))) {
        const [field = ""] = wrong(facts.at(-1)!);
        yield `shows ${noun} ${row.id} with ${field} ${row[field]}; acknowledged was ${facts.at(-1)![field]}`;
      }
      if (declared.method !== "GET") continue;
      world.decide(noun, row.id, observation, (value) => !!value && agrees(noun, value, row));
    }
  },

  *"P-09"(seen) {
    const { world, observation, reply } = seen;
    const change = changes[observation.call];
    if (!change || !isGood(reply) || reply.json?.id === undefined || !tracked[change.noun]) return;
    if (isHeld(observation)) return;
    const { number, ...body } = bodyOf(observation);
    const wishes = change.adds
      ? [{ ...body, ...(number && { number }) } as unknown as Fact]
      : before(seen, change.noun, reply.json.id).flatMap((value) =>
          overlapping(seen, change.noun).map((one) => {
            const wish = expected(value, one);
            // A bulk action may come between the change and its reply.
            return world.loosened(change.noun, reply.json.id, wish, observation);
          }),
        );
    const result = factOf(world, change.noun, reply.json, "");
    if (
      every(
        wishes,
        (wish) => !!wish && !(agrees(change.noun, wish, result) && isSame(wish.withdrawn, result.withdrawn)),
      )
    ) {
      yield `acknowledged something else than was asked of ${change.noun} ${reply.json.id}`;
    }
  },

  *"P-10"(seen) {
    const { world, observation, reply } = seen;
    if (observation.call !== "verify" || (reply.status !== 200 && reply.status !== 404)) return;
    const code = String(observation.input.params?.code);
    const { document: id, copy } = world.codes.get(code) ?? { document: -1, copy: 1 };
    const documents = world.during("document", id, observation);
    const number = String(observation.input.query?.number ?? "");
    const days = daysOf(world, documents.find((one) => one)?.company ?? "", observation.at);
    const right = documents.flatMap((document) => (document ? verdictsOf(document, copy, days, number) : ["unknown"]));
    const verdict = reply.status === 404 ? "unknown" : String(reply.json.verdict);
    if (right.length > 0 && !right.includes(undefined) && !right.includes(verdict))
      yield `says ${verdict} of ${code}, which is ${right.join(" or ")}`;
  },

  *"P-11"(seen) {
    for (const [noun, row] of rowsOf(seen)) {
      if (noun !== "document" || !row.validity) continue;
      const facts = seen.world.during(noun, row.id, seen.observation);
      const days = daysOf(seen.world, facts.find((one) => one)?.company ?? "", seen.observation.at);
      const right = facts.flatMap((fact) => days.map((day) => fact && validityOn(fact, day)));
      if (right.length > 0 && !right.includes(undefined) && !right.includes(row.validity))
        yield `lists document ${row.id} as ${row.validity}, which is ${right.join(" or ")}`;
    }
  },

  *"P-12"(seen) {
    const { world, observation, reply } = seen;
    const replaced = observation.call === "storeDocument" && Number(bodyOf(observation).replaces);
    // A retry finds what it has replaced.
    const older = replaced && !observation.input.headers?.["Idempotency-Key"] ? before(seen, "document", replaced) : [];
    if (isGood(reply) && every(older, (one) => one?.status !== undefined && one.status !== "active"))
      yield `replaced document ${replaced}, which is not active`;
    const [first] = replaced ? world.replacements(replaced) : [];
    if (
      first &&
      isGood(reply) &&
      !isHeld(observation) &&
      first.reply !== "lost" &&
      first.reply.json.id !== reply.json.id
    )
      yield `replaced document ${replaced} again, which ${first.reply.json.id} had replaced`;
    const allowed = states[observation.call];
    if (!allowed) return;
    const { noun } = changes[observation.call]!;
    const values = before(seen, noun, Number(observation.input.params?.id));
    const possible = values.map((value) => value?.[noun === "release" ? "state" : "status"]);
    const known = possible.filter((state) => state !== undefined).map(allowed);
    if (known.length === 0 || known.length < values.length) return;
    // What is so already stays as it is.
    const isRepeat = values.some((value) => isSame(value?.version, reply.json?.version));
    if (isGood(reply) && !known.includes(true) && !isRepeat) yield "was done in a state that forbids it";
    if (reply.status === 409 && seen.isAlone && !known.includes(false) && !bodyOf(observation).version)
      yield "was refused in a state that allows it";
  },

  *"P-14"(seen) {
    const change = changes[seen.observation.call];
    const { version } = bodyOf(seen.observation);
    if (!change || change.adds || !version || !isGood(seen.reply)) return;
    const values = before(seen, change.noun, Number(seen.observation.input.params?.id));
    if (every(values, (value) => value?.version > Number(version))) yield `overwrote a version newer than ${version}`;
  },

  *"P-15"({ world, observation, reply }) {
    const { by, call, input } = observation;
    const key = input.headers?.["Idempotency-Key"] ?? (call.endsWith("Actions") ? bodyOf(observation).key : undefined);
    if (!key || !isGood(reply)) return;
    const name = `${by.company}/${by.email ?? by.name}/${call}/${key}`;
    const earlier = world.retries.get(name) ?? reply.json.id;
    if (earlier !== reply.json.id) yield `was done twice with the same key: ${earlier} and ${reply.json.id}`;
    world.retries.set(name, earlier);
  },

  *"P-16"({ observation: { input }, reply: { json, headers }, isAlone }) {
    const total = headers["x-total-count"];
    if (!isAlone || total === undefined || headers["x-total-is-capped"] || !Array.isArray(json)) return;
    const { page = 1, per_page = 5, after, before } = input.query ?? {};
    if (after !== undefined || before !== undefined) return;
    const isPaged = input.query?.page !== undefined || input.query?.per_page !== undefined;
    const rows = isPaged
      ? Math.max(0, Math.min(Number(per_page), Number(total) - (Number(page) - 1) * Number(per_page)))
      : Number(total);
    if (rows !== json.length) yield `has ${json.length} rows, and a total of ${total}`;
  },

  *"P-18"(seen) {
    const { world, observation } = seen;
    for (const [noun, row] of rowsOf(seen)) {
      if (world.knows(noun, row.id) || !observation.by.company) continue;
      const isPending = world.pending.some(
        (pending) => pending.noun === noun && pending.company === observation.by.company,
      );
      if (noun === "document" && !isPending) yield `shows ${noun} ${row.id}, which nobody made`;
      const fact = factOf(world, noun, row, observation.by.company);
      world.adopt(noun, row.id, world.loosened(noun, row.id, fact, observation)!, observation);
    }
  },

  *"P-19"({ world, observation, reply }) {
    for (const text of textsOf(reply.json)) {
      const person = world.erased.find(
        ({ text: name, source }) =>
          source.ended < observation.began && isNamed(text, name) && !world.isCommentSince(text, source),
      );
      if (person && !world.isInUse(person.text)) yield `shows ${person.text}, who was erased`;
    }
  },

  *"P-26"({ world, observation: { call, input }, reply }) {
    if (call !== "listBulkRows" || !isGood(reply)) return;
    for (const { line, state, document, release } of reply.json) {
      if ((state === "issued") !== ((document ?? release) !== null)) yield `has row ${line} ${state} with ${document}`;
      const row = `${input.params!.id} ${line}`;
      const other = world.rows.get(row) ?? document;
      if (document !== null && other !== document) yield `issued row ${line} as ${other} and as ${document}`;
      if (document === null) continue;
      const twin = [...world.rows].find(([key, known]) => known === document && key !== row);
      if (twin) yield `has document ${document} in two rows: ${twin[0]} and ${row}`;
      world.rows.set(row, document);
    }
  },

  "P-27": judgeSignOn,
  "P-28": judgeReceived,
  "P-29": judgeRelease,

  *"P-25"(seen) {
    for (const entry of [seen.reply.json?.log_entry]) {
      if (entry?.problem && seen.world.restores.length === 0) yield `has a log entry with a problem: ${entry.problem}`;
    }
  },
};

/** Broken promises of one reply. */
export function judge(world: World, observation: Observation, isAlone: boolean): string[] {
  const { reply, call, by, input, ended } = observation;
  if (reply === "lost") return [];
  const seen = {
    world,
    observation,
    reply,
    declared: calls[call],
    callers: callersOf(world, by, observation, observation),
    isAlone,
  };
  const where =
    `${by.name}${by.company ? ` of ${by.company}` : ""}: ${call} ${Object.values(input.params ?? {}).join("/")}`.trim();
  return Object.entries(rules).flatMap(([id, rule]) =>
    [...rule(seen)].map((what) => `${id}: ${where} ${what} (step ${ended})`),
  );
}
