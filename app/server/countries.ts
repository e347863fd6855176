import { say } from "#lib/messages/staff.ts";

/** Countries by their usual names, in the order of the alphabet. */
export const countries = say("server.countries.names").split(", ");
