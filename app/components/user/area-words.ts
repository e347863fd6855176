import { t } from "#lib/messages/staff.ts";

/** Areas, rights and scopes as staff read them (`docs/specification.md` section 2, `/users/roles`; section 6). */

export const areaNames = {
  docs: t("components.areaWords.docs"),
  co_profile: t("components.areaWords.coProfile"),
  branches: t("components.areaWords.branches"),
  tariffs: t("components.areaWords.tariffs"),
  alerts: t("components.areaWords.alerts"),
  map: t("components.areaWords.map"),
  users: t("components.areaWords.users"),
  roles: t("components.areaWords.roles"),
};

export const rightNames = {
  read: t("components.areaWords.read"),
  write: t("components.areaWords.write"),
  create: t("components.areaWords.create"),
  release: t("components.areaWords.release"),
};

type Right = keyof typeof rightNames;

export const rightLetters: Record<Right, string> = {
  read: t("components.areaWords.letterOfRead"),
  write: t("components.areaWords.letterOfWrite"),
  create: t("components.areaWords.letterOfCreate"),
  release: t("components.areaWords.letterOfRelease"),
};

export const scopeNames = {
  company: t("components.areaWords.company"),
  branch: t("components.areaWords.branch"),
  personal: t("components.areaWords.personal"),
};

type Scope = keyof typeof scopeNames;

const listed: Record<Right, string> = {
  read: t("components.areaWords.readInAList"),
  write: t("components.areaWords.writeInAList"),
  create: t("components.areaWords.createInAList"),
  release: t("components.areaWords.releaseInAList"),
};

/** `read, write` */
export const rightsInWords = (rights: readonly Right[]) => rights.map((right) => listed[right]).join(", ");

type Permission = { scope: Scope | undefined; rights: readonly Right[] };

/** A permission in words: `Branch: read, write`. */
export function permissionInWords({ scope, rights }: Permission): string {
  if (!scope && rights.length === 0) return t("components.areaWords.noAccess");
  if (!scope) return t("components.areaWords.withoutScope", { rights: rightsInWords(rights) });
  if (rights.length === 0) return t("components.areaWords.withoutRights", { scope: scopeNames[scope] });
  return t("components.areaWords.permission", { scope: scopeNames[scope], rights: rightsInWords(rights) });
}

type ScopedKey = { scope: string; areas: readonly (keyof typeof areaNames)[]; access_group: string };

/** API keys with the names of their areas; of SCIM tokens, with the access group of new users. */
export const withAreasInWords = <Key extends ScopedKey>(keys: Key[]) =>
  keys.map((key) => {
    const group = key.access_group || "–";
    const areas = key.areas.map((area) => areaNames[area]).join(", ");
    return { ...key, areas: key.scope === "scim" ? t("components.areaWords.newUsersIn", { group }) : areas };
  });
