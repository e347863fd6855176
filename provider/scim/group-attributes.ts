import { HttpError } from "../http/errors.ts";
import { idOf } from "./filter.ts";
import { bounds, isObject, type Operation, ScimError } from "./protocol.ts";
import { parsePath } from "./paths.ts";
import { readText } from "./set-attributes.ts";

/** What a directory sets of an access group; members by their ids. */
export type DirectoryGroup = { displayName: string; externalId: string; members: Set<number> };

/** Applies an operation to a group. Throws `ScimError`. */
export function applyToGroup(group: DirectoryGroup, { op, path, value }: Operation): void {
  if (path !== undefined) {
    if (setAttribute(group, { op, value, ...parsePath(path) })) return;
    if (/^(id|meta|schemas)/i.test(path)) throw new ScimError("mutability", `${path} can’t be changed`);
    throw new ScimError("invalidPath", `There is no attribute ${path}`);
  }
  if (!isObject(value)) throw new ScimError("invalidValue", "An operation without a path needs an object");
  for (const [key, inner] of Object.entries(value)) setAttribute(group, { op, value: inner, name: key.toLowerCase() });
}

type Setting = Pick<Operation, "op" | "value"> & { name: string; matches?: unknown; only?: string | undefined };

/** Returns whether there is such an attribute. */
function setAttribute(group: DirectoryGroup, { op, value, name, matches, only }: Setting): boolean {
  if (name === "displayname") {
    if (op === "remove") throw new ScimError("mutability", "displayName can’t be removed");
    if (typeof value !== "string") throw new ScimError("invalidValue", "displayName must be a text");
    group.displayName = value.trim();
  } else if (name === "externalid") {
    group.externalId = op === "remove" ? "" : readText("externalId", value ?? "");
  } else if (name === "members" && matches === undefined) {
    const ids = idsIn(value);
    if (op === "replace" || (op === "remove" && ids.length === 0)) group.members = new Set();
    for (const id of ids)
      if (op === "remove") group.members.delete(id);
      else group.members.add(id);
  } else if (name === "members" && op === "remove" && only !== undefined) {
    group.members.delete(idOf(only) ?? 0);
  } else return false;
  return true;
}

/** The ids of a list of members, or of one. */
function idsIn(value: unknown): number[] {
  const elements = value === undefined || value === null ? [] : [value].flat();
  if (elements.length > bounds.members) throw new HttpError(413, `Send ${bounds.members} members at most at once`);
  return elements.map((element: unknown) => {
    const text = isObject(element) ? element["value"] : element;
    const id = idOf(String(text));
    if (id === undefined) throw new ScimError("invalidValue", "A member’s value must be the id of a user");
    return id;
  });
}
