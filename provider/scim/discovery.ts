import { lists, required, userAttributes } from "./attributes.ts";
import { bounds, urns } from "./protocol.ts";

/** What `/ServiceProviderConfig`, `/ResourceTypes` and `/Schemas` say (RFC 7643, sections 5 to 7). */

const schemaOf = (name: string) => `urn:ietf:params:scim:schemas:core:2.0:${name}`;
const readOnly = { mutability: "readOnly" };

const attribute = (name: string, description: string, more: object = {}) => ({
  name,
  type: "string",
  description,
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: "readWrite",
  returned: "default",
  uniqueness: "none",
  ...more,
});

type Attribute = ReturnType<typeof attribute>;
const complex = (name: string, description: string, subAttributes: Attribute[], more: object = {}) =>
  attribute(name, description, { type: "complex", subAttributes, ...more });

const reference = (description: string, to: string, mutability: string) =>
  attribute("$ref", description, { type: "reference", caseExact: true, referenceTypes: [to], mutability });

const workAttributes = [
  attribute("type", "Others are ignored", { canonicalValues: ["work"] }),
  attribute("primary", "Always true", { type: "boolean" }),
];

/** The attributes of a table below a parent, or those without one. */
function attributesBelow(below: string | undefined): Attribute[] {
  return userAttributes.flatMap(([path, field, description]) => {
    const [parent, part] = path.split(".");
    const isElsewhere = below === undefined ? part || parent === "externalId" : parent !== below;
    if (isElsewhere || field === "formatted") return [];
    const more = {
      required: required.has(field),
      ...(field === "active" && { type: "boolean" }),
      ...(field === "user_name" && { uniqueness: "server" }),
    };
    return [attribute(part ?? parent!, description, more)];
  });
}

const group = complex(
  "groups",
  "The user’s access group",
  [
    attribute("value", "Its id", readOnly),
    reference("Its address", "Group", "readOnly"),
    attribute("display", "Its name", readOnly),
  ],
  { multiValued: true, ...readOnly },
);
const listOfWork = (name: string, description: string) =>
  complex(name, description, [...attributesBelow(name), ...workAttributes], {
    multiValued: lists.has(name.toLowerCase()),
  });
const emails = { ...listOfWork("emails", "The address for work"), required: true };

const userSchema = [
  ...attributesBelow(undefined),
  complex("name", "The parts of the name", attributesBelow("name")),
  emails,
  listOfWork("phoneNumbers", "The number for work"),
  listOfWork("addresses", "The place of work"),
  group,
];

const members = complex(
  "members",
  "Its users; each is in one access group",
  [
    attribute("value", "The id of a user", { mutability: "immutable" }),
    reference("The user’s address", "User", "immutable"),
  ],
  { multiValued: true },
);
const groupName = attribute("displayName", "Unique within the company", { required: true, uniqueness: "server" });

/** The resources about the service itself, each with its address below `base`. */
export function discovery(base: string) {
  const meta = (resourceType: string, path: string) => ({ resourceType, location: `${base}/${path}` });
  const schema = (id: string, name: string, attributes: Attribute[]) => ({
    schemas: [schemaOf("Schema")],
    id,
    name,
    description: `${name} of Sealdesk`,
    attributes,
    meta: meta("Schema", `Schemas/${id}`),
  });
  const resourceType = (name: string, id: string, schemaExtensions: object[]) => ({
    schemas: [schemaOf("ResourceType")],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema: id,
    schemaExtensions,
    meta: meta("ResourceType", `ResourceTypes/${name}`),
  });
  const bearer = {
    type: "oauthbearertoken",
    name: "Bearer token",
    description: "A SCIM token, which an administrator makes in Settings, API keys",
    specUri: "https://www.rfc-editor.org/info/rfc6750",
    primary: true,
  };
  const [supported, unsupported] = [{ supported: true }, { supported: false }];
  return {
    config: {
      schemas: [schemaOf("ServiceProviderConfig")],
      patch: supported,
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: bounds.rows },
      changePassword: unsupported,
      sort: supported,
      etag: supported,
      authenticationSchemes: [bearer],
      meta: meta("ServiceProviderConfig", "ServiceProviderConfig"),
    },
    resourceTypes: [
      resourceType("User", urns.user, [{ schema: urns.enterprise, required: false }]),
      resourceType("Group", urns.group, []),
    ],
    schemas: [
      schema(urns.user, "User", userSchema),
      schema(urns.enterprise, "EnterpriseUser", attributesBelow("enterprise")),
      schema(urns.group, "Group", [groupName, members]),
    ],
  };
}
