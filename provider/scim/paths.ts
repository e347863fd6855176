import { filter, parse } from "scim2-parse-filter";
import { bounds, type Resource, ScimError, urns } from "./protocol.ts";

/** Attribute paths of PATCH operations: `name.givenName`, `emails[type eq "work"].value`, with a schema's URN or without. */

export type Path = {
  /** In small letters; an attribute of the enterprise extension begins with `enterprise.`, one of others with `urn`. */
  name: string;
  /** Whether an element of a list with several values is meant; undefined for a path without a filter. */
  matches?: ((element: Resource) => boolean) | undefined;
  /** The one value that the filter lets through, if it is like `value eq "1"`. */
  only?: string | undefined;
  /** Whether the filter is about kinds of values. */
  isByKind: boolean;
};

const schemaPath = /^(urn:.+?:(?:user|group))(?::(.+))?$/is;
const attributePath = /^([\w$-]+(?:\.[\w$-]+)*)(?:\[(.+)\](?:\.([\w$-]+))?)?$/s;

/** Reads a path; throws `invalidPath`. */
export function parsePath(text: string): Path {
  if (text.length > bounds.filter) throw new ScimError("invalidPath", `Shorten paths to ${bounds.filter} characters`);
  const [, urn, rest = ""] = schemaPath.exec(text) ?? [undefined, undefined, text];
  const prefix = prefixOf(urn?.toLowerCase());
  if (!urn && /^urn:/i.test(text)) return { name: "urn", isByKind: false };
  if (prefix && rest === "") return { name: prefix, isByKind: false };
  const [, base, search, sub] = attributePath.exec(rest) ?? [];
  if (base === undefined) throw new ScimError("invalidPath", `The path “${text}” can’t be read`);
  const name = [prefix, base, sub].filter(Boolean).join(".").toLowerCase();
  return { name, isByKind: false, ...(search !== undefined && filtered(search)) };
}

function prefixOf(urn: string | undefined) {
  if (urn === undefined || [urns.user, urns.group].some((core) => core.toLowerCase() === urn)) return undefined;
  return urn === urns.enterprise.toLowerCase() ? "enterprise" : "urn";
}

function filtered(search: string): Omit<Path, "name"> {
  try {
    const parsed = parse(search);
    const name = "attrPath" in parsed ? parsed.attrPath.toLowerCase() : "";
    const only = parsed.op === "eq" && name === "value" ? String(parsed.compValue) : undefined;
    return { matches: filter(parsed), only, isByKind: name === "type" || name === "primary" };
  } catch {
    throw new ScimError("invalidPath", `The filter “${search}” of a path can’t be read`);
  }
}
