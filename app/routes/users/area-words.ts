import { say } from "#messages/staff.ts";
import type { ApiKey } from "#provider/contract/api-keys.ts";
import { type Area, partsOf, type Right, type Scope } from "#provider/contract/areas.ts";

/** Areas, rights and scopes as staff read them (`docs/specification.md` section 2, `/users/roles`; section 6). */

export const areaNames: Record<Area, string> = {
  docs: say("users.areaWords.docs"),
  co_profile: say("users.areaWords.coProfile"),
  branches: say("users.areaWords.branches"),
  tariffs: say("users.areaWords.tariffs"),
  alerts: say("users.areaWords.alerts"),
  map: say("users.areaWords.map"),
  users: say("users.areaWords.users"),
  roles: say("users.areaWords.roles"),
};

export const rightNames: Record<Right, string> = {
  read: say("users.areaWords.read"),
  write: say("users.areaWords.write"),
  create: say("users.areaWords.create"),
};

export const rightLetters: Record<Right, string> = {
  read: say("users.areaWords.letterOfRead"),
  write: say("users.areaWords.letterOfWrite"),
  create: say("users.areaWords.letterOfCreate"),
};

export const scopeNames: Record<Scope, string> = {
  company: say("users.areaWords.company"),
  branch: say("users.areaWords.branch"),
  personal: say("users.areaWords.personal"),
};

const listed: Record<Right, string> = {
  read: say("users.areaWords.readInAList"),
  write: say("users.areaWords.writeInAList"),
  create: say("users.areaWords.createInAList"),
};

/** `read, write` */
export const rightsInWords = (rights: readonly Right[]) => rights.map((right) => listed[right]).join(", ");

/** A permission string in words: `Branch: read, write`. */
export function permissionInWords(permission: string): string {
  const { scope, rights } = partsOf(permission);
  if (!scope && rights.length === 0) return say("users.areaWords.noAccess");
  if (!scope) return say("users.areaWords.withoutScope", { rights: rightsInWords(rights) });
  if (rights.length === 0) return say("users.areaWords.withoutRights", { scope: scopeNames[scope] });
  return say("users.areaWords.permission", { scope: scopeNames[scope], rights: rightsInWords(rights) });
}

export const withAreasInWords = (keys: ApiKey[]) =>
  keys.map(({ areas, ...key }) => ({ ...key, areas: areas.map((area) => areaNames[area]).join(", ") }));
