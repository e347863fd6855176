import format from "icu-minify/format";
import type { ReactNode } from "react";
import type { Arguments } from "./+types/staff.ts";
import { compiledOnce } from "./compiled.ts";
import { joined } from "./filling.ts";
import { formatters } from "./formats.ts";
import { tagOf } from "./languages.ts";
import { staffLanguage } from "./staff-language.ts";
import alerts from "./staff/en/alerts.json" with { type: "json" };
import apiKeys from "./staff/en/api-keys.json" with { type: "json" };
import audit from "./staff/en/audit.json" with { type: "json" };
import branches from "./staff/en/branches.json" with { type: "json" };
import bulkActions from "./staff/en/bulk-actions.json" with { type: "json" };
import check from "./staff/en/check.json" with { type: "json" };
import common from "./staff/en/common.json" with { type: "json" };
import components from "./staff/en/components.json" with { type: "json" };
import documents from "./staff/en/documents.json" with { type: "json" };
import guest from "./staff/en/guest.json" with { type: "json" };
import imports from "./staff/en/imports.json" with { type: "json" };
import map from "./staff/en/map.json" with { type: "json" };
import numberRanges from "./staff/en/number-ranges.json" with { type: "json" };
import seals from "./staff/en/seals.json" with { type: "json" };
import search from "./staff/en/search.json" with { type: "json" };
import server from "./staff/en/server.json" with { type: "json" };
import settings from "./staff/en/settings.json" with { type: "json" };
import signedIn from "./staff/en/signed-in.json" with { type: "json" };
import users from "./staff/en/users.json" with { type: "json" };
import views from "./staff/en/views.json" with { type: "json" };
import webhooks from "./staff/en/webhooks.json" with { type: "json" };

/**
 * What the staff's pages say, by key: `lib/messages/staff/LANGUAGE/AREA.json`, where a key begins with the name of its file. The
 * build puts the messages into the code in place of these calls (`tools/inline-messages.ts`); without a build, as in tests,
 * they are looked up.
 */

const catalogue = {
  ...alerts,
  ...apiKeys,
  ...audit,
  ...branches,
  ...bulkActions,
  ...check,
  ...common,
  ...components,
  ...documents,
  ...guest,
  ...imports,
  ...map,
  ...numberRanges,
  ...seals,
  ...search,
  ...server,
  ...settings,
  ...signedIn,
  ...users,
  ...views,
  ...webhooks,
};
type Key = keyof typeof catalogue;

/** A sentence's arguments; none for a message without any. */
type Given<K extends Key> = K extends keyof Arguments ? [values: Arguments[K]] : [];

const compiledOf = compiledOnce(catalogue);
const tag = tagOf(staffLanguage);

export const t = <K extends Key>(key: K, ...[values]: Given<K>): string =>
  String(format(compiledOf(key), tag, values as Record<string, string | number> | undefined, { formatters }));

type Value = string | number | ((words: ReactNode) => ReactNode);

/** A sentence with elements in it, as `<link>a link</link>`: each is a function of its words. */
export function tRich<K extends Key & keyof Arguments>(key: K, values: Arguments[K]): ReactNode {
  const given = Object.entries<Value>(values).map(([name, value]) => [
    name,
    typeof value === "function" ? (words: ReactNode[]) => value(joined(...words)) : value,
  ]);
  const parts = format<ReactNode>(compiledOf(key), tag, Object.fromEntries(given), { formatters });
  return Array.isArray(parts) ? joined(...parts) : parts;
}
