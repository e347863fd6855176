import { describe, expect, test } from "vitest";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { urns, withDirectory } from "#tests/fixtures/scim.ts";

const suite = describe.runIf(hasDatabase());
const places = ["/ServiceProviderConfig", "/ResourceTypes", "/ResourceTypes/User", "/Schemas", `/Schemas/${urns.user}`];

type Described = { name: string; mutability: string; subAttributes?: Described[] };

suite("SCIM’s description of itself", () => {
  test("says what is supported, and that bulk is not", async () => {
    const { get } = await withDirectory();
    const { status, headers, json } = await get("/ServiceProviderConfig");
    expect([status, headers.get("content-type")]).toEqual([200, "application/scim+json"]);
    expect(json).toMatchObject({
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      sort: { supported: true },
      etag: { supported: true },
      changePassword: { supported: false },
    });
    expect(json.authenticationSchemes[0].type).toBe("oauthbearertoken");
  });

  test("lists the resource types, whose schemas can be read one by one", async () => {
    const { get } = await withDirectory();
    const { json } = await get("/ResourceTypes");
    expect(json.Resources.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual(["/Users", "/Groups"]);
    for (const type of json.Resources) {
      expect((await get(`/ResourceTypes/${type.id}`)).json).toEqual(type);
      for (const schema of [type.schema, ...type.schemaExtensions.map((one: { schema: string }) => one.schema)]) {
        expect((await get(`/Schemas/${schema}`)).json.id).toBe(schema);
      }
    }
  });

  test("describes each attribute that a user has, and no other", async () => {
    const { get, post, companyId, branch } = await withDirectory();
    await branch(companyId, "Preston");
    const { json: user } = await post("/Users", {
      schemas: [urns.user, urns.enterprise],
      userName: "full@company.example",
      externalId: "42",
      name: { givenName: "Fay", familyName: "Full" },
      title: "Clerk",
      phoneNumbers: [{ type: "work", value: "1" }],
      addresses: [{ type: "work", locality: "Leeds", postalCode: "LS1", country: "United Kingdom" }],
      [urns.enterprise]: { department: "Preston" },
    });
    const { json: core } = await get(`/Schemas/${urns.user}`);
    const pathsOf = (attributes: Described[], prefix = ""): string[] =>
      attributes.flatMap(({ name, subAttributes }) =>
        subAttributes ? pathsOf(subAttributes, `${prefix}${name}.`) : [prefix + name],
      );
    const pathsIn = (value: unknown, prefix: string): string[] =>
      typeof value === "object" && value !== null
        ? Object.entries([value].flat()[0]!).flatMap(([key, inner]) => pathsIn(inner, `${prefix}.${key}`))
        : [prefix.slice(1)];
    const { schemas: _, id: __, externalId: ___, meta: ____, [urns.enterprise]: extension, ...attributes } = user;
    expect(pathsIn(attributes, "").toSorted()).toEqual(pathsOf(core.attributes).toSorted());
    expect(extension).toEqual({ department: "Preston" });
  });

  test("may be read without a token, takes no filter, and nothing else than GET", async () => {
    const { send } = await withDirectory();
    for (const path of places) {
      expect((await send("GET", path, undefined, { authorization: "" })).status, path).toBe(200);
      expect((await send("GET", `${path}?filter=id%20eq%20%22x%22`)).status, path).toBe(403);
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        const { status, json, headers } = await send(method, path, method === "DELETE" ? undefined : {});
        expect([path, method, status, json.schemas]).toEqual([path, method, 405, [urns.error]]);
        expect(headers.get("allow")).toBe("GET");
      }
    }
  });

  test.each([
    ["/ResourceTypes/Printer", 404],
    ["/Schemas/urn:none", 404],
    ["/Elsewhere", 404],
    ["/Me", 501],
    ["/Bulk", 501],
  ])("answers %s with an error of SCIM", async (path, status) => {
    const { get } = await withDirectory();
    const reply = await get(path);
    expect(reply.status).toBe(status);
    expect(reply.json).toMatchObject({ schemas: [urns.error], status: String(status), detail: expect.any(String) });
  });
});
