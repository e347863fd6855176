import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { calls } from "../contract/calls.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

const provider = join(import.meta.dirname, "..");

describe.runIf(hasDatabase())("GET /openapi.json", () => {
  test("describes every call of the contract, and only those", async () => {
    const { call } = await testProvider();
    const { json } = await call("openapi");
    const described = Object.entries(json.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = Object.values(calls).map(({ method, path }) => `${method} /api${path}`);
    expect(new Set(described)).toEqual(new Set(declared));
  });

  test("documents access, requests and replies", async () => {
    const { call } = await testProvider();
    const { json } = await call("openapi");
    const store = json.paths["/api/documents/storeDocument"].post;
    expect(store).toMatchObject({ "x-area": "docs", "x-right": "create", security: [{ token: [] }] });
    const form = store.requestBody.content["multipart/form-data"].schema;
    expect(Object.keys(form.properties)).toEqual(
      expect.arrayContaining(["name", "number", "custom_fields", "files[]"]),
    );
    expect(Object.keys(store.responses)).toEqual(expect.arrayContaining(["201", "401", "403", "409", "413", "422"]));
    expect(json.paths["/api/login"].post.security).toEqual([]);
    expect(json.components.schemas).toHaveProperty("Document.properties.custom_fields");
  });

  test("names operations and headers, and which calls API keys may make", async () => {
    const { call } = await testProvider();
    const { paths, components } = (await call("openapi")).json;
    const store = paths["/api/documents/storeDocument"].post;
    expect(store).toMatchObject({ operationId: "storeDocument", "x-api-keys": true });
    expect(store.parameters).toMatchObject([{ in: "header", name: "Idempotency-Key", required: false }]);
    expect(Object.keys(store.responses[429].headers)).toEqual(["Retry-After", "RateLimit-Policy", "RateLimit"]);
    expect(paths["/api/profile/api-keys"].post).toMatchObject({ "x-api-keys": false });
    expect(Object.keys(paths["/api/documents"].get.responses[200].headers)).toContain("X-Total-Count");
    expect(components.securitySchemes.token.description).toContain("sd_live_");
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods as object));
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(Object.keys(calls).length);
  });

  test("has contract tests for every endpoint", async () => {
    const { call } = await testProvider();
    const { json } = await call("openapi");
    const tests = readdirSync(provider, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => readFileSync(join(provider, file), "utf8"))
      .join("\n");
    const untested = Object.entries(json.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object)
        .map((method) => `${method.toUpperCase()} ${path.replace("/api", "")}`)
        .filter((endpoint) => !tests.includes(`("${endpoint}", `)),
    );
    expect(untested).toEqual([]);
  });

  test("an undocumented address is not found", async () => {
    const { provider } = await testProvider();
    const response = await provider.fetch(new Request("http://provider/api/nothing"), { clientAddress: "192.0.2.1" });
    expect([response.status, await response.json()]).toEqual([404, { message: "Not found" }]);
  });
});
