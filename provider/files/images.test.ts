import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { asFile, pdfFile, photoFile, pngFile } from "#tests/fixtures/files.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

/** A user's form, with what else is given. */
function form(more: Record<string, string | File>) {
  const userForm = { name: "Nora New", email: "nora@company.example", staff: "Accountant", ...more };
  const form = new FormData();
  for (const [name, value] of Object.entries(userForm)) form.append(name, value);
  return form;
}

suite("GET /users/{id}/image", () => {
  test("is the uploaded picture, upright, small and without metadata", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const body = form({ image: asFile(await photoFile(), "nora.jpg") });
    const { json: user, status } = await call("createUser", { token: admin.token, body });
    expect([status, user.imageUrl]).toEqual([201, expect.stringMatching(`^/api/users/${user.id}/image\\?v=`)]);
    const { bytes } = await call("getUserImage", { token: admin.token, params: { id: user.id } });
    const { format, width, height, exif } = await sharp(bytes).metadata();
    expect({ format, width, height, exif }).toEqual({ format: "webp", width: 341, height: 512, exif: undefined });
  });

  test("is replaced, stays with changes without a picture, and is removed", async () => {
    const { call, company, services } = await testProvider();
    const { admin } = await company();
    const { token } = admin;
    const image = asFile(await pngFile(40, 30), "a.png");
    const { json: first } = await call("createUser", { token, body: form({ image }) });
    const change = async (more: Record<string, string | File>) =>
      (await call("updateUser", { token, params: { id: first.id }, body: form(more) })).json.imageUrl;
    expect(await change({ city: "Leeds" })).toBe(first.imageUrl);
    const second = await change({ image: asFile(await pngFile(10, 10), "b.png") });
    expect(second).not.toBe(first.imageUrl);
    expect(await Array.fromAsync(services.files.list("images"))).toHaveLength(1);
    const picture = await call("getUserImage", { token, params: { id: first.id } });
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ width: 10, height: 10 });
    expect(await change({ remove_image: "1" })).toBe("");
    expect((await call("getUserImage", { token, params: { id: first.id } })).status).toBe(404);
    expect(await Array.fromAsync(services.files.list("images"))).toEqual([]);
  });

  test("can't be another kind of file, whatever its name, and leaves no file", async () => {
    const { call, company, services } = await testProvider();
    const { admin } = await company();
    const files: Record<string, Buffer> = {
      "nora.png": Buffer.from("MZ a renamed program"),
      "nora.jpg": Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      "nora.webp": await pdfFile(0),
      "empty.png": Buffer.alloc(0),
    };
    for (const [name, content] of Object.entries(files)) {
      const body = form({ image: asFile(content, name) });
      const { status, json } = await call("createUser", { token: admin.token, body });
      expect([status, json.errors], name).toEqual([422, { image: ["Choose a JPG, PNG or WebP image"] }]);
    }
    const body = form({ image: asFile(Buffer.alloc(11 * 1024 * 1024, 1), "large.png") });
    const { json } = await call("createUser", { token: admin.token, body });
    expect(json.errors).toEqual({ image: ["Choose an image of 10 MB at most"] });
    expect((await call("listUsers", { token: admin.token })).json).toHaveLength(1);
    for (const folder of ["images", "documents", "work"])
      expect(await Array.fromAsync(services.files.list(folder))).toEqual([]);
  });

  test("is for readers of the user", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const body = form({ image: asFile(await pngFile(40, 30), "a.png") });
    const { json } = await call("createUser", { token: admin.token, body });
    const other = await company();
    const params = { id: json.id };
    expect((await call("getUserImage", { token: other.admin.token, params })).status).toBe(404);
    expect((await call("getUserImage", { params })).status).toBe(401);
  });
});

suite("GET /profile/image", () => {
  test("is one's own picture, without any right", async () => {
    const { call, company, group, user } = await testProvider();
    const { id } = await company();
    await group(id, "Nothing", {});
    const { token, name, email } = await user(id, { group: "Nothing" });
    expect((await call("getProfileImage", { token })).status).toBe(404);
    const body = form({ name, email, image: asFile(await pngFile(40, 30), "me.png") });
    const { json } = await call("updateProfile", { token, body });
    expect(json.imageUrl).toMatch(/^\/api\/profile\/image\?v=/);
    expect(await sharp((await call("getProfileImage", { token })).bytes).metadata()).toMatchObject({ width: 40 });
    expect((await call("updateProfile", { token, body: { name, email, remove_image: true } })).json.imageUrl).toBe("");
  });
});

suite("GET /branches/{id}/image", () => {
  test("is the branch's picture, for readers of the branch", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const body = form({ country: "Ireland", city: "Cork", image: asFile(await pngFile(40, 30), "cork.png") });
    const { json, status } = await call("createBranch", { token: admin.token, body });
    expect([status, json.imageUrl]).toEqual([201, expect.stringMatching(`^/api/branches/${json.id}/image\\?v=`)]);
    const { bytes } = await call("getBranchImage", { token: admin.token, params: { id: json.id } });
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 40 });
    const other = await company();
    expect((await call("getBranchImage", { token: other.admin.token, params: { id: json.id } })).status).toBe(404);
  });
});

suite("GET /company/image", () => {
  test("is the company's picture", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const { token } = admin;
    expect((await call("getCompanyImage", { token })).status).toBe(404);
    const body = form({ image: asFile(await pngFile(40, 30), "logo.png") });
    expect((await call("updateCompany", { token, body })).json.img).toMatch(/^\/api\/company\/image\?v=/);
    expect(await sharp((await call("getCompanyImage", { token })).bytes).metadata()).toMatchObject({ width: 40 });
    expect((await call("updateCompany", { token, body: { name: "Named", remove_image: true } })).json.img).toBe("");
  });
});
