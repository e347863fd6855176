import type { z } from "zod";
import type { Call } from "#provider/contract/call.ts";
import type { CallName, Calls } from "#provider/contract/calls.ts";

type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;
type Part<Name extends string, Value> = [Value] extends [never] ? unknown : { [N in Name]: Value };
type OptionalPart<Name extends string, Value> = [Value] extends [never] ? unknown : { [N in Name]?: Value };

export type Picture = { name: string; content: Blob };

type CallInput<C extends Call> = Part<"params", Input<C["params"]>> &
  OptionalPart<"query", Input<C["query"]>> &
  (C extends { bodyIsOptional: true } ? OptionalPart<"body", Input<C["body"]>> : Part<"body", Input<C["body"]>>) &
  (C extends { files: string } ? { files: Picture[] } : unknown) &
  (C extends { image: true } ? { image?: Picture | undefined } : unknown) &
  (C extends { file: string }
    ? C extends { fileIsOptional: true }
      ? { form?: Request }
      : { form: Request }
    : unknown) & { headers?: Record<string, string> };

export type AnyInput = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  files?: Picture[];
  image?: Picture;
  /** A request whose form is passed on as it arrives, instead of a body. */
  form?: Request;
  headers?: Record<string, string>;
};

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
  /** A page of a list, with totals and cursors of the reply's headers (`docs/contract.md`, "Lists"). */
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
  /** Undefined if the provider does not page the list. */
  total: number | undefined;
  /** Whether counting stopped at `total`. */
  isCapped: boolean;
  isPartial: boolean;
  next: string | undefined;
  previous: string | undefined;
};
