import { daysInMs, minutesInMs } from "#lib/units.ts";
import type { Observation, Person } from "../observation.ts";

/** A record as far as calls have shown it. What the model can't know of it is missing. */
export type Fact = { id: Id; company: string; [field: string]: any };
export type Id = number | string;
export type Span = { began: number; ended: number };

const nouns = [
  "company",
  "user",
  "group",
  "branch",
  "document",
  "alert",
  "range",
  "webhook",
  "key",
  "session",
  "identity",
  "recipient",
  "release",
  "rule",
] as const;
export type Noun = (typeof nouns)[number];

/** A value that a record may have had from one step to another; undefined is none. */
type Entry = { value: Fact | undefined; from: number; until: number; source: Observation; cappedAt?: Date };

/** What a call's author asked for, and that the reply doesn't say: a change that may show later. */
export type Pending = { noun: Noun; company: string; source: Observation };

/** What jobs do later, or may do: until a rest these fields are unknown, whatever calls say of them. */
type Loosening = { noun: Noun; company: string; fields: readonly string[]; isLater?: boolean } & Among;

/** All of the company's, if neither is given. */
type Among = { chosen?: readonly Id[]; document?: Id };

const isAmong = ({ chosen, document }: Among, id: Id, value: Fact) =>
  (chosen?.includes(id) ?? true) && (document === undefined || value.document_id === document);

const loose = (value: Fact, fields: readonly string[]): Fact => ({
  ...value,
  isLoose: true,
  ...Object.fromEntries(fields.map((field) => [field, undefined])),
});

const isOlder = (a?: Fact, b?: Fact) => a?.version !== undefined && b?.version !== undefined && a.version < b.version;

/** All that the model knows, with every state that is possible. */
export class World {
  private records = Object.fromEntries(nouns.map((noun) => [noun, new Map<Id, Entry[]>()])) as Record<
    Noun,
    Map<Id, Entry[]>
  >;
  /** Acknowledged and lost calls that change something, in the order of their ends. */
  changes: Observation[] = [];
  pending: Pending[] = [];
  later: (Loosening & { until: number })[] = [];
  /** Texts of erased people. */
  erased: { text: string; source: Observation }[] = [];
  /** The last step of those taken over. */
  step = 0;
  faults: Date[] = [];
  jumps: Date[] = [];
  codes = new Map<string, { document: Id; copy: number }>();
  retries = new Map<string, Id>();
  /** The documents of rows of bulk issues. */
  rows = new Map<string, Id>();
  restores: Date[] = [];
  /** How often each sign-in was ended that began at an identity provider. */
  attempts = new Map<string, number>();
  private people = new Map<string, Id>();
  private companies = new Map<string, Set<string>>();

  /** While no call is open. */
  get rest(): Span {
    return { began: this.step + 0.5, ended: this.step + 0.5 };
  }

  /** Whether a process's clock jumped, by two hours at most, within a day of an instant. */
  isNearJump(at: Date) {
    return this.jumps.some((jump) => Math.abs(jump.getTime() - at.getTime()) < daysInMs(1));
  }

  /** Whether something failed at about an instant that the world made fail. */
  isNearFault(at: Date) {
    return this.faults.some((fault) => Math.abs(fault.getTime() - at.getTime()) < minutesInMs(10));
  }

  /** Every value that a record may have had during a call, but for those that `except` made. */
  during(noun: Noun, id: Id, { began, ended }: Span, except?: Observation) {
    const entries = this.records[noun].get(id) ?? [];
    return entries
      .filter(({ from, until, source }) => from <= ended && until >= began && source !== except)
      .map(({ value }) => value);
  }

  /** A value that an acknowledged call gave, or that a lost one may have given. */
  set(noun: Noun, id: Id, after: Fact | undefined, source: Observation) {
    const value = this.loosened(noun, id, after, source);
    const entries = this.records[noun].get(id) ?? [];
    // Calls that overlap may have come before it was there, or while it was as nobody has read it.
    const earlier = value && !/^(create|store)/.test(source.call) ? { id, company: value.company } : undefined;
    if (entries.length === 0) entries.push({ value: earlier, from: 0, until: source.ended, source });
    const isCertain = source.reply !== "lost";
    for (const entry of isCertain ? entries : []) {
      const isBefore = entry.source.ended < source.began || isOlder(entry.value, value);
      if (!isBefore || entry.until <= source.ended) continue;
      entry.until = source.ended;
      entry.cappedAt = source.at;
    }
    const isOutdated = entries.some((entry) => entry.until === Infinity && isOlder(value, entry.value));
    entries.push({ value, from: source.began, until: isOutdated ? source.ended : Infinity, source });
    this.records[noun].set(id, entries);
    this.remember(noun, value);
  }

  /** What a job may change in records of a company, or in those chosen: these fields are unknown until a rest. */
  loosen(loosening: Loosening, source: Observation) {
    const { noun, company, fields, isLater } = loosening;
    for (const id of this.records[noun].keys()) {
      const entries = this.records[noun].get(id) ?? [];
      for (const { value, from, until } of entries.slice()) {
        if (value?.company !== company || from > source.ended || until < source.began) continue;
        if (!isAmong(loosening, id, value)) continue;
        entries.push({ value: loose(value, fields), from: Math.max(from, source.began), until: Infinity, source });
      }
    }
    this.later.push({ ...loosening, until: isLater ? Infinity : source.ended });
  }

  /** Without the fields that jobs may still change, or have changed meanwhile. */
  loosened(noun: Noun, id: Id, value: Fact | undefined, { began }: Observation) {
    if (!value) return undefined;
    const pending = this.later.filter(
      (one) => one.noun === noun && one.company === value.company && began < one.until && isAmong(one, id, value),
    );
    const fields = pending.flatMap((one) => one.fields);
    return fields.length > 0 ? loose(value, fields) : value;
  }

  /** Records that no call has changed since a bulk action: undoing it leaves the others. */
  unchangedSince(noun: Noun, { input }: Observation): Id[] {
    const isStart = ({ call, reply }: Observation) =>
      call.endsWith("Actions") && reply !== "lost" && reply.json.id === Number(input.params?.id);
    const began = this.changes.find((change) => isStart(change))?.ended ?? Infinity;
    const isLater = ({ value, source }: Entry) =>
      source.began > began && source.input.params?.id === value?.id && source.call !== "undoBulkAction";
    return [...this.records[noun]].filter(([, entries]) => !entries.some((entry) => isLater(entry))).map(([id]) => id);
  }

  /** The acknowledged calls that replaced a document and, as nothing has undone it since, may do so once. */
  replacements(id: Id): Observation[] {
    const isOf = ({ input }: Observation) => input.params?.id === id;
    const undone = this.changes.findLast(
      (one) => /Actions$|BulkAction$/.test(one.call) || (one.call === "reactivateDocument" && isOf(one)),
    );
    return this.changes.filter((one) => {
      const isReplacement = one.call === "storeDocument" && Number(bodyOf(one).replaces) === id;
      return isReplacement && one.reply !== "lost" && !isHeld(one) && one.began > (undone?.ended ?? 0);
    });
  }

  /** A record as a read shows it: the first one, or one that ends what jobs and lost calls left open. */
  adopt(noun: Noun, id: Id, value: Fact, source: Observation) {
    const entries = this.records[noun].get(id) ?? [];
    for (const entry of entries.filter(({ until }) => until > this.step)) {
      entry.until = this.step;
      entry.cappedAt = source.at;
    }
    const from = entries.length > 0 ? this.step : 0;
    this.records[noun].set(id, [...entries, { value, from, until: Infinity, source }]);
    this.remember(noun, value);
  }

  private remember(noun: Noun, value?: Fact) {
    if (noun === "document" && value?.code) this.codes.set(value.code, { document: value.id, copy: 1 });
    if (noun !== "user" || !value?.email) return;
    this.people.set(`${value.company}/${value.email}`.toLowerCase(), value.id);
    this.companies.set(value.email, this.companiesOf(value.email).add(value.company));
  }

  /** The companies that have users with an email address. */
  companiesOf(email: string) {
    return this.companies.get(email) ?? new Set<string>();
  }

  /** Whether a living user has a name or an email address. */
  isInUse(text: string) {
    const users = [...this.records.user.values()].flatMap((entries) =>
      entries.filter(({ until }) => until === Infinity),
    );
    return users.some(({ value }) => value && !value.erased && (value.name === text || value.email === text));
  }

  /** Whether somebody may have written a comment after a call had begun. */
  isCommentSince(text: string, { began }: Span) {
    return this.changes.some((one) => one.call === "addComment" && one.ended > began && bodyOf(one).text === text);
  }

  /** A read decides which of the states is real that lost and overlapping calls left possible. */
  decide(noun: Noun, id: Id, span: Span & { at: Date }, isReal: (value: Fact | undefined) => boolean) {
    const entries = (this.records[noun].get(id) ?? []).filter(
      ({ until, from, source }) => until > span.began && from < span.began && source.ended <= span.began,
    );
    if (!entries.some(({ value }) => isReal(value))) return;
    for (const entry of entries)
      if (!isReal(entry.value)) Object.assign(entry, { until: span.began - 1, cappedAt: span.at });
  }

  /** The records of a company that certainly exist, each with the values that are possible. */
  all(noun: Noun, company: string, span: Span): Fact[][] {
    return [...this.records[noun].keys()]
      .map((id) => this.during(noun, id, span))
      .filter((values): values is Fact[] => values.length > 0 && values.every((value) => value?.company === company));
  }

  /** The last values of all records that a company ever had. */
  everything(noun: Noun, company?: string): Fact[] {
    const last = [...this.records[noun].values()].map((entries) => entries.findLast(({ value }) => value)?.value);
    return last.filter((value) => value && (company ?? value.company) === value.company) as Fact[];
  }

  knows(noun: Noun, id: Id) {
    return this.records[noun].has(id);
  }

  userOf({ company, email }: Person): Id | undefined {
    return email && company ? this.people.get(`${company}/${email}`.toLowerCase()) : undefined;
  }

  /** Rows are as they were at an instant again. Which sessions and keys are open then isn't modelled. */
  restore(to: Date) {
    this.restores.push(to);
    this.retries.clear();
    this.rows.clear();
    for (const [noun, records] of Object.entries(this.records)) {
      if (noun === "session" || noun === "key") records.clear();
      for (const [id, entries] of records) {
        const kept = entries.filter(({ source }) => source.at <= to);
        for (const entry of kept) if (entry.cappedAt && entry.cappedAt > to) entry.until = Infinity;
        if (kept.length > 0) records.set(id, kept);
        else records.delete(id);
      }
    }
    for (const [code, { document }] of this.codes) if (!this.knows("document", document)) this.codes.delete(code);
    this.changes = this.changes.filter(({ at }) => at <= to);
    this.pending = this.pending.filter(({ source }) => source.at <= to);
    this.erased = this.erased.filter(({ source }) => source.at <= to);
  }
}

/** The calendar day of an instant in a company's time zone, YYYY-MM-DD. */
export const dayIn = (timeZone: string, at: Date) => new Intl.DateTimeFormat("en-CA", { timeZone }).format(at);

/** Whether a change was acknowledged as waiting for its release. */
export const isHeld = ({ call, reply }: Observation) =>
  /^(store|update|prolong|exit|reactivate)Document$|Copy$/.test(call) &&
  reply !== "lost" &&
  Number.isInteger(reply.json?.awaiting_release);

/** The fields of a call's body, be it JSON or a form. */
export function bodyOf({ input: { body } }: Observation): Record<string, any> {
  return body instanceof FormData ? Object.fromEntries(body) : { ...body };
}
