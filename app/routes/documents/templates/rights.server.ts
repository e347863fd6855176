import { t } from "#lib/messages/staff.ts";
import type { Context } from "../../../server/request/router-context.ts";
import {
  getUser,
  may,
  mayInCompany,
  requireOffer,
  requireRight,
  requireRightInCompany,
} from "../../../server/sessions/current-user.ts";

/** Refuses users who may not use templates, and reports a provider without any. */
export function requireTemplates(context: Context) {
  requireOffer(context, "templates");
  requireRight(context, "docs", "create", t("documents.rights.useTemplates"));
}

export const mayManageTemplates = (context: Context) =>
  mayInCompany(getUser(context), "docs", "write") && may(getUser(context), "docs", "create");

/** Refuses users who may not add, change and remove them. */
export function requireTemplateManager(context: Context) {
  requireTemplates(context);
  requireRightInCompany(context, "docs", "write", t("documents.rights.changeTemplates"));
}
