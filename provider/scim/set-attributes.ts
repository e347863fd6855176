import { type DirectoryUser, lists, attributeParts, required, type UserField, userAttributes } from "./attributes.ts";
import { isObject, type Operation, ScimError } from "./protocol.ts";
import { parsePath, type Path } from "./paths.ts";

/** Sets a user's attributes as the operations of SCIM say. */

const fields = new Map<string, UserField>(userAttributes.map(([path, field]) => [path.toLowerCase(), field]));
const parents = new Set([...fields.keys()].filter((path) => path.includes(".")).map((path) => path.split(".")[0]!));
const readOnly = /^(id|meta|groups|schemas)(\.|$)/;
/** Attributes of RFC 7643 that are not stored, and of other extensions: clients send them by default. */
const unstored =
  /^(urn|enterprise|name|emails|phonenumbers|addresses|nickname|profileurl|usertype|preferredlanguage|locale|timezone|password|ims|photos|entitlements|roles|x509certificates)(\.|$)/;

/** One that its operation names is refused if it can't be set. */
type Setting = Path & Pick<Operation, "op" | "value"> & { isNamed: boolean };

/** Applies an operation to a user. Throws `ScimError`. */
export function applyToUser(user: DirectoryUser, { op, path, value }: Operation): void {
  if (path !== undefined) return setAttribute(user, { ...parsePath(path), op, value, isNamed: true });
  if (!isObject(value)) throw new ScimError("invalidValue", "An operation without a path needs an object");
  // Entra ID sends paths as names of attributes too.
  for (const [key, inner] of Object.entries(value))
    setAttribute(user, { ...parsePath(key), op, value: inner, isNamed: false });
}

function setAttribute(user: DirectoryUser, setting: Setting): void {
  const { name, op, matches, isByKind, isNamed } = setting;
  const list = name.split(".")[0]!;
  if (matches && lists.has(list) && !matches(attributeParts(user, list))) {
    // A home address, a fax number: only those for work are stored.
    if (op === "remove" || isByKind) return;
    throw new ScimError("noTarget", `No value of ${list} matches the path’s filter`);
  }
  const field = fields.get(name);
  if (field) return setField(user, field, setting);
  if (parents.has(name)) return setParts(user, setting);
  if (unstored.test(name) || !isNamed) return;
  if (readOnly.test(name)) throw new ScimError("mutability", `${name} can’t be changed`);
  throw new ScimError("invalidPath", `There is no attribute ${name}`);
}

/** Sets the parts of an attribute that has several, or of an element of a list. */
function setParts(user: DirectoryUser, setting: Setting): void {
  const { name, value } = setting;
  const parts = lists.has(name) ? storedElement(value) : value;
  if (setting.op === "remove" || isEmpty(parts)) {
    for (const [path, field] of fields)
      if (path.startsWith(`${name}.`)) setField(user, field, { ...setting, value: "" });
    return;
  }
  if (!isObject(parts)) throw new ScimError("invalidValue", `The value of ${name} is not one that it can have`);
  for (const [key, inner] of Object.entries(parts)) {
    setAttribute(user, {
      ...setting,
      name: `${name}.${key}`.toLowerCase(),
      matches: undefined,
      value: inner,
      isNamed: false,
    });
  }
}

/** The primary element of a list, the one for work, or the first. */
function storedElement(value: unknown): unknown {
  if (!Array.isArray(value)) return typeof value === "string" && value !== "" ? { value } : value;
  const is = (key: string, text: string) => (element: unknown) =>
    isObject(element) && String(element[key]).toLowerCase() === text;
  return value.find(is("primary", "true")) ?? value.find(is("type", "work")) ?? value[0];
}

const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

function setField(user: DirectoryUser, field: UserField, { op, name, value, isNamed }: Setting): void {
  const isCleared = op === "remove" || isEmpty(value);
  if (isCleared && required.has(field)) {
    if (isNamed) throw new ScimError("mutability", `${name} can’t be removed`);
    return;
  }
  if (field === "active") user.active = readBoolean(value);
  else user[field] = isCleared ? "" : readText(name, value);
}

export function readText(name: string, value: unknown): string {
  if (typeof value === "string" || typeof value === "number") return String(value).trim();
  throw new ScimError("invalidValue", `The value of ${name} must be a text`);
}

/** Entra ID sends “True” and “False” as texts. */
function readBoolean(value: unknown): boolean {
  const text = String(value).toLowerCase();
  if (text === "true" || text === "false") return text === "true";
  throw new ScimError("invalidValue", "The value of active must be true or false");
}
