import type { Call } from "#provider/contract/call.ts";
import { calls as contractCalls } from "#provider/contract/calls.ts";
import { urns } from "#provider/scim/protocol.ts";
import { type CallInput, requestOf as contractRequestOf } from "../fixtures/call.ts";

/** Requests of a company's directory, declared as the contract declares calls; bodies and replies have the contract's fields. */

const declare = (method: string, path: string, status: number) =>
  ({ method, path, status, access: { area: "roles", right: "write" }, refusals: [400, 409, 412, 413] }) as const;

const scimCalls = {
  addScimUser: declare("POST", "/users", 201),
  changeScimUser: declare("PATCH", "/users/{id}", 200),
  removeScimUser: declare("DELETE", "/users/{id}", 204),
  listScimUsers: declare("GET", "/users", 200),
  moveScimUser: declare("PATCH", "/access-groups/{group}", 200),
};

const all = { ...contractCalls, ...scimCalls };
/** All calls that the simulation knows. */
export const calls = all as unknown as Record<CallName, Call>;
export type CallName = keyof typeof all;
export const isScim = (name: CallName): name is keyof typeof scimCalls => name in scimCalls;

const paths: Record<string, string> = {
  name: "displayName",
  role: "title",
  active: "active",
  branch: `${urns.enterprise}:department`,
};

export function requestOf(name: CallName, input: CallInput): ReturnType<typeof contractRequestOf> {
  if (!isScim(name)) return contractRequestOf(name, input);
  const { params: { id, group } = {}, query = {}, token, address = "" } = input;
  const fields = { ...input.body };
  const path = group ? `Groups/${group}` : `Users${id ? `/${id}` : ""}`;
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
  const { method } = scimCalls[name];
  const content =
    method === "POST"
      ? userOf(fields)
      : { schemas: [urns.patch], Operations: group ? [membership(id!)] : operationsOf(fields, Number(id)) };
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/scim+json" };
  const body = ["POST", "PATCH"].includes(method) ? JSON.stringify(content) : null;
  const request = new Request(`http://provider/scim/v2/${path}?${search}`, { method, headers, body });
  return [request, { clientAddress: address, browser: undefined, isApi: true }];
}

const userOf = ({ name, email, branch }: Record<string, any>) => ({
  schemas: [urns.user, urns.enterprise],
  userName: email,
  displayName: name,
  emails: [{ value: email, type: "work", primary: true }],
  active: true,
  [urns.enterprise]: { department: branch },
});

/** As Entra ID sends them, or as Okta does. */
const operationsOf = (fields: object, id: number) =>
  id % 2
    ? Object.entries(fields).map(([field, value]) => {
        const text = typeof value === "boolean" ? (value ? "True" : "False") : value;
        return { op: "Replace", path: paths[field], value: text };
      })
    : [
        {
          op: "replace",
          value: Object.fromEntries(Object.entries(fields).map(([field, value]) => [paths[field], value])),
        },
      ];

const membership = (id: string | number) => ({ op: "add", path: "members", value: [{ value: String(id) }] });

/** A reply with users as rows of the contract, as far as a directory sees them. */
export function rowsOfReply(name: CallName, json: any): any {
  if (!isScim(name) || !json || json.detail) return json;
  if (json.Resources) return json.Resources.map(rowOf);
  return json.displayName === undefined || json.members ? undefined : rowOf(json);
}

const rowOf = ({ id, displayName, title = "", active, emails, groups, userName }: any) => ({
  id: Number(id),
  name: displayName,
  role: title,
  active,
  email: emails[0].value,
  staff_id: Number(groups[0].value),
  user_name: userName,
  isLoose: true,
});
