import { t } from "#lib/messages/staff.ts";

/** Countries by their usual names, in the order of the alphabet. */
export const countries = t("server.countries.names").split(", ");
