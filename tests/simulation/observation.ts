import type { CallInput } from "../fixtures/call.ts";
import type { Claims } from "./identity-provider.ts";
import type { CallName } from "./scim.ts";

/** What the simulated world tells the model. The model sees neither the database nor the provider's code. */

/** A user of a company by email, an API key by its name, or a stranger. */
export type Person = { name: string; company?: string; email?: string };

/** A call of the contract and its reply. Steps count the beginnings and ends of all calls in the order of the world. */
export type Observation = {
  /** The world's clock when the call began. */
  at: Date;
  began: number;
  ended: number;
  by: Person;
  /** Which sign-in: a person has several tabs and devices. */
  session?: string;
  call: CallName;
  /** Without the token. */
  input: Input;
  /** "lost": the process was killed or the reply did not arrive. The call took effect completely or not at all. */
  reply: Reply | "lost";
};

/** Claims are what an identity provider says of a person who signs in. */
export type Input = CallInput & { claims?: Claims };

export type Reply = { status: number; json: any; headers: Record<string, string> };

/** A message by its own id. Of one that is not answered the sender can't know whether it came. */
type Attempt = { at: Date; id: string; isAnswered: boolean };

/** What the world saw outside of calls. */
export type Event =
  | ({ kind: "mail"; to: string; subject: string; text: string } & Attempt)
  | ({ kind: "webhook"; url: string; body: any } & Attempt)
  | { kind: "job"; at: Date; name: string }
  | { kind: "fault"; at: Date; what: string }
  | { kind: "restored"; at: Date; to: Date };

/** Makes a call as a person, outside of the day's work. */
export type Ask = (by: Person, call: CallName, input?: Input) => Promise<{ status: number; json: any }>;

/** Expects what the papers promise. Each method returns broken promises, such as "P-07: Mia of Leeds saw document 41 of York". */
export interface Model {
  /** Calls that overlap come in the order in which they ended; any order of them may be the real one. */
  observe(observation: Observation): string[];
  event(event: Event): string[];
  /** At rest no call is open and no job is due: compares replies to questions with what is expected. */
  rest(at: Date, ask: Ask): Promise<string[]>;
}

/** What exists before the first call: an administrator of each company, and its time zone by name. */
export type Start = { administrators: Person[]; timeZones: Record<string, string> };
