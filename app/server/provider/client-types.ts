import type { z } from "zod";
import type { Call } from "#provider/contract/call.ts";
import type { CallName, Calls } from "#provider/contract/calls.ts";

/** The client's types follow from the contract: a new call needs nothing here. */

type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;
type Part<Name extends string, Value> = [Value] extends [never] ? unknown : { [N in Name]: Value };
type OptionalPart<Name extends string, Value> = [Value] extends [never] ? unknown : { [N in Name]?: Value };

/** A picture that goes with a form. */
export type Picture = { name: string; content: Blob };

/** A call's parameters, query and body as the contract's schemas take them. */
type CallInput<C extends Call> = Part<"params", Input<C["params"]>> &
  OptionalPart<"query", Input<C["query"]>> &
  Part<"body", Input<C["body"]>> &
  (C extends { files: string } ? { files: Picture[] } : unknown) &
  (C extends { image: true } ? { image?: Picture | undefined } : unknown) & { headers?: Record<string, string> };

/** The same of any call. */
export type AnyInput = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  files?: Picture[];
  image?: Picture;
  headers?: Record<string, string>;
};

/** The reply as the contract's schema reads it, a response with a file, or nothing. */
type CallReply<C extends Call> = C["reply"] extends z.ZodType
  ? z.output<C["reply"]> | (C extends { replyIsOptional: true } ? undefined : never)
  : C["reply"] extends null
    ? void
    : Response;

type Method<C extends Call> =
  object extends CallInput<C>
    ? (input?: CallInput<C>) => Promise<CallReply<C>>
    : (input: CallInput<C>) => Promise<CallReply<C>>;

type Query<Name extends CallName> = Input<Calls[Name] extends { query: infer Schema } ? Schema : never>;

export type ProviderClient = { [Name in CallName]: Method<Calls[Name]> } & {
  /** A page of a list, with what the reply's headers say about it (`docs/contract.md`, "Lists"). */
  list<Name extends CallName>(
    name: Name,
    query: Query<Name>,
    params?: Record<string, string>,
  ): Promise<ListReply<CallReply<Calls[Name]>>>;
  /** A list's first rows, uncounted; all rows from a provider that does not page the list. */
  firstPage<Name extends CallName>(name: Name, query: Query<Name>): Promise<CallReply<Calls[Name]>>;
  /** A file at an address from a reply: 404 unless it is on the provider's own origin. */
  file(address: string): Promise<Response>;
};

type ListReply<Rows> = {
  rows: Rows;
  /** How many rows the filters leave; undefined if the provider does not page the list. */
  total: number | undefined;
  /** Whether counting stopped at `total`. */
  isCapped: boolean;
  /** Whether a short text was looked for among the newest rows only. */
  isPartial: boolean;
  /** Cursors of the neighbouring pages, from providers that have them. */
  next: string | undefined;
  previous: string | undefined;
};
