import { say } from "#lib/messages/staff.ts";

/** Areas, rights and scopes as staff read them (`docs/specification.md` section 2, `/users/roles`; section 6). */

export const areaNames = {
  docs: say("components.areaWords.docs"),
  co_profile: say("components.areaWords.coProfile"),
  branches: say("components.areaWords.branches"),
  tariffs: say("components.areaWords.tariffs"),
  alerts: say("components.areaWords.alerts"),
  map: say("components.areaWords.map"),
  users: say("components.areaWords.users"),
  roles: say("components.areaWords.roles"),
};

export const rightNames = {
  read: say("components.areaWords.read"),
  write: say("components.areaWords.write"),
  create: say("components.areaWords.create"),
};

type Right = keyof typeof rightNames;

export const rightLetters: Record<Right, string> = {
  read: say("components.areaWords.letterOfRead"),
  write: say("components.areaWords.letterOfWrite"),
  create: say("components.areaWords.letterOfCreate"),
};

export const scopeNames = {
  company: say("components.areaWords.company"),
  branch: say("components.areaWords.branch"),
  personal: say("components.areaWords.personal"),
};

type Scope = keyof typeof scopeNames;

const listed: Record<Right, string> = {
  read: say("components.areaWords.readInAList"),
  write: say("components.areaWords.writeInAList"),
  create: say("components.areaWords.createInAList"),
};

/** `read, write` */
export const rightsInWords = (rights: readonly Right[]) => rights.map((right) => listed[right]).join(", ");

type Permission = { scope: Scope | undefined; rights: readonly Right[] };

/** A permission in words: `Branch: read, write`. */
export function permissionInWords({ scope, rights }: Permission): string {
  if (!scope && rights.length === 0) return say("components.areaWords.noAccess");
  if (!scope) return say("components.areaWords.withoutScope", { rights: rightsInWords(rights) });
  if (rights.length === 0) return say("components.areaWords.withoutRights", { scope: scopeNames[scope] });
  return say("components.areaWords.permission", { scope: scopeNames[scope], rights: rightsInWords(rights) });
}

/** API keys with the names of their areas. */
export const withAreasInWords = <Key extends { areas: readonly (keyof typeof areaNames)[] }>(keys: Key[]) =>
  keys.map((key) => ({ ...key, areas: key.areas.map((area) => areaNames[area]).join(", ") }));
