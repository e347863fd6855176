import { z } from "zod";
import { asciiDomain } from "#lib/text.ts";
import { call } from "./call.ts";
import { idParams, instant, requiredText } from "./fields.ts";

/** A company's own hosts for its verification pages. */

export const maxHosts = 3;

/** As DNS has names of 253 characters, and the record's is longer than the host's. */
const maxHostLength = 200;

export const CompanyHost = z
  .object({
    id: z.int(),
    host: z.string().meta({ description: "In lower case and ASCII" }),
    state: z.enum(["requested", "confirmed", "missing", "ended"]).meta({
      description: "missing: confirmed, but its record is gone, and the host will be lost; ended: lost or removed",
    }),
    record_name: z.string().meta({ description: "Of the TXT record that proves the host" }),
    record_value: z.string(),
    confirmed_at: instant.nullable(),
    checked_at: instant.nullable().meta({ description: "ISO-8601, UTC; the last look at the record" }),
    ends_at: instant.nullable().meta({
      description: "ISO-8601, UTC; when it is lost, or the request ends, if its record can’t be read until then",
    }),
    problem: z.enum(["", "absent", "unanswered", "taken"]).meta({
      description: "Of the last look: no such record, no answer, or another company’s host",
    }),
    is_used: z.boolean().meta({ description: "Whether new codes name it: the one confirmed last does" }),
  })
  .meta({ id: "CompanyHost", description: "A company's own host for its verification pages" });
export type CompanyHost = z.output<typeof CompanyHost>;

/** Administrators only: whoever has the host of a code decides what its page says. */
export const hostAccess = { area: "roles", right: "write" } as const;

export const listHosts = call({
  method: "GET",
  path: "/company/hosts",
  summary: "The company's own hosts for its verification pages, for administrators",
  access: hostAccess,
  reply: z.array(CompanyHost),
  status: 200,
});

export const requestHost = call({
  method: "POST",
  path: "/company/hosts",
  summary: "Request a host for the company's verification pages, which a DNS record then proves",
  access: hostAccess,
  proof: true,
  body: z.object({
    host: requiredText("host", maxHostLength)
      .overwrite((host) => asciiDomain(host.replace(/\.$/, "")) ?? host)
      .refine((host) => host === "" || asciiDomain(host) !== undefined, "Enter a host like check.company.example"),
  }),
  reply: CompanyHost,
  status: 201,
  refusals: [409, 429],
});

export const checkHost = call({
  method: "POST",
  path: "/company/hosts/{id}/check",
  summary: "Look for a host's DNS record now",
  access: hostAccess,
  params: idParams,
  reply: CompanyHost,
  status: 200,
  refusals: [429],
});

export const removeHost = call({
  method: "POST",
  path: "/company/hosts/{id}/remove",
  summary: "Remove a host: its address shows nothing more, and its codes open at the installation's own",
  access: hostAccess,
  proof: true,
  params: idParams,
  reply: null,
  status: 204,
});
