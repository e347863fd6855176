import { daysInMs } from "#lib/units.ts";
import { password } from "../../fixtures/template.ts";
import type { Claims } from "../identity-provider.ts";
import type { Input as CallInput, Person, Reply } from "../observation.ts";
import { type Choices, choicesOf } from "../random.ts";
import type { CallName } from "../scim.ts";
import { companyKeys, companyNames, members, timeZones } from "./cast.ts";

/** A paper with a code, as it lies on desks and is handed to strangers. */
export type Paper = { id: number; code: string; number: string; version: number; copies: number };

/** A member with what they remember from one visit to the next. */
export type Member = {
  person: Person;
  email: string;
  name: string;
  group: string;
  branch: string;
  sessions: Session[];
  memory: Record<string, any>;
};
type Session = { name: string; token: string };

export type Company = {
  key: string;
  name: string;
  timeZone: string;
  people: Member[];
  papers: Paper[];
  apiKeys: Session[];
  directory: Directory;
  /** What holders have, by their addresses. */
  holders: Record<string, { sessions: { token: string; id: number }[]; request?: string }>;
};

/** `late` are requests that the network holds back. */
type Directory = {
  address: string;
  token?: Session | undefined;
  owner?: Member;
  groups: Record<string, number>;
  employees: Member[];
  late: any[];
};

type NewMember = { company: string; name: string; email: string; group: string; branch: string };

export const newMember = ({ company, name, email, group, branch }: NewMember): Member => ({
  person: { name, company, email },
  email,
  name,
  group,
  branch,
  sessions: [],
  memory: {},
});

export const companiesOf = (): Company[] =>
  companyKeys.map((key) => ({
    key,
    name: companyNames[key],
    timeZone: timeZones[key],
    papers: [],
    apiKeys: [],
    holders: {},
    directory: { address: "", groups: {}, employees: [], late: [] },
    people: members.map(({ role, ...more }) =>
      newMember({ ...more, company: companyNames[key], email: `${role}@${key}.example` }),
    ),
  }));

type Surroundings = {
  seed: string;
  /** `COMPANY/ROLE`, as in `north/drafter`; or the company's name and the beginning of the person's email address. */
  who: string;
  companies: Company[];
  call(by: Person, name: CallName, input: CallInput, session?: string): Promise<Reply>;
  authorize(address: string, claims: Claims): string;
  inbox: { to: string; text: string }[];
  now(): Date;
};

/** One visit of a person: what habits act with. */
export class Visitor {
  readonly choices: Choices;
  readonly company: Company;
  readonly companies: Company[];
  readonly me: Member;
  readonly now: () => Date;
  readonly authorize: Surroundings["authorize"];
  readonly #surroundings: Surroundings;

  constructor(surroundings: Surroundings) {
    const { seed, who, companies, now } = surroundings;
    this.#surroundings = surroundings;
    this.choices = choicesOf(seed, "visit", who);
    const [company = "", role = ""] = who.split("/");
    this.companies = companies;
    this.company = companies.find(({ key, name }) => [key, name].includes(company)) ?? companies[0]!;
    const { people, directory } = this.company;
    const signedIn = directory.employees.filter(({ sessions }) => sessions.length > 0);
    const member = [...people, ...signedIn].find(({ email }) => email.startsWith(`${role}@`));
    this.me = member ?? outsider(role);
    this.now = now;
    this.authorize = surroundings.authorize;
  }

  /** Makes a call as this person, who signs in before if need be and proves to be present if asked to. */
  async call(name: CallName, input: CallInput = {}): Promise<Reply> {
    const session = this.me.sessions[0] ?? (await this.signIn());
    const reply = await this.as(session, name, input);
    if (reply.status === 401 && session) {
      this.me.sessions.shift();
      return this.as(await this.signIn(), name, input);
    }
    if (reply.status !== 403 || reply.json?.kind !== "proof") return reply;
    await this.as(session, "prove", { body: { current_password: password } });
    return this.as(session, name, input);
  }

  /** Makes a call with a session or key of any age, or without one. */
  as(session: Session | undefined, name: CallName, input: CallInput = {}): Promise<Reply> {
    const token = session && { token: session.token };
    const whole = { address: this.#address(), ...input, ...token };
    return this.#surroundings.call(this.me.person, name, whole, session?.name);
  }

  #address = () => `198.51.${this.choices.below(4)}.${1 + this.choices.below(250)}`;

  /** Makes a call as somebody whom nobody knows, such as by a phone on which this person is not signed in. */
  anonymously(name: CallName, input: CallInput = {}): Promise<Reply> {
    return this.#surroundings.call({ name: "stranger" }, name, { address: this.#address(), ...input });
  }

  /** Signs in on one more device, which is used from now on; undefined if that is refused. */
  async signIn(): Promise<Session | undefined> {
    const { email } = this.me;
    if (!email) return undefined;
    const { status, json } = await this.as(undefined, "login", { body: { email, password } });
    return status === 200 && json.token ? this.remember(json.token) : undefined;
  }

  /** Goes on with a new session. */
  remember(token: string): Session {
    const { email, memory, sessions } = this.me;
    const session = { name: `${email} ${(memory.signIns = (memory.signIns ?? 0) + 1)}`, token };
    sessions.unshift(session);
    sessions.splice(4);
    return session;
  }

  /** The token of the newest link in the person's mails. */
  mailedToken(): string | undefined {
    return this.mailed(this.me.email, /signup\?token=([\w-]+)/).at(-1);
  }

  /** What a pattern finds in the mails to an address. */
  mailed(address: string, pattern: RegExp): string[] {
    const own = this.#surroundings.inbox.filter(({ to }) => to === address);
    return own.flatMap(({ text }) => pattern.exec(text)?.[1] ?? []);
  }

  /** The rows of a list, none if it is refused. */
  async rows(name: CallName, query: Record<string, string | number> = {}, more: CallInput = {}): Promise<any[]> {
    const { status, json } = await this.call(name, { ...more, query: { page: 1, per_page: 50, ...query } });
    return status === 200 ? json : [];
  }

  pick = <T>(items: readonly T[]): T | undefined => this.choices.pick(items);

  /** The company's day, as YYYY-MM-DD, some days from now. */
  day(later = 0): string {
    const at = new Date(this.now().getTime() + daysInMs(later));
    return new Intl.DateTimeFormat("sv-SE", { timeZone: this.company.timeZone }).format(at);
  }
}

const outsider = (role: string): Member => ({
  person: { name: role || "stranger" },
  email: "",
  name: role,
  group: "",
  branch: "",
  sessions: [],
  memory: {},
});

/** What a person does on one visit. It may end anywhere: replies get lost. */
export type Habit = (visitor: Visitor) => Promise<void>;
