import { expect, test } from "../support/journey.ts";

test.beforeEach(({ signInAs }) => signInAs());
test.use({ viewport: { width: 1280, height: 800 } });

test("/ and Ctrl-K move to the search, and Escape returns the focus", async ({ page }) => {
  await page.goto("/documents/list");
  const field = page.getByRole("searchbox", { name: "Find" });
  await page.keyboard.press("/");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("");
  await page.keyboard.press("Escape");
  await expect(field).not.toBeFocused();
  const add = page.getByRole("link", { name: "Add new document" });
  await add.focus();
  await page.keyboard.press("Control+k");
  await expect(field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(add).toBeFocused();
});

test("what is typed after / or Ctrl-K is not lost, however soon", async ({ page }) => {
  const field = page.getByRole("searchbox", { name: "Find" });
  for (const key of ["/", "Control+k"]) {
    for (const delay of [0, 30]) {
      await page.goto("/documents/list");
      await page.keyboard.press(key);
      await page.keyboard.type("lease", { delay });
      await expect(field, `${key}, ${delay} ms`).toHaveValue("lease");
    }
  }
});

test("/ is typed in a field, and does nothing behind a dialog", async ({ page }) => {
  await page.goto("/documents/list");
  await page.getByLabel("Name").pressSequentially("a/b");
  await expect(page.getByLabel("Name")).toHaveValue("a/b");
  await page.goto("/documents/1?dialog=archive");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("link").last()).toBeVisible();
  await page.keyboard.press("Shift");
  await page.keyboard.press("Control+k");
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Find" })).not.toBeFocused();
});

test("/ does nothing once it is turned off, and Ctrl-K still does", async ({ page }) => {
  await page.goto("/profile");
  const off = page.getByRole("form", { name: "The key /" }).getByRole("button", { name: "Off" });
  await off.click();
  await expect(off).toHaveAttribute("aria-pressed", "true");
  const field = page.getByRole("searchbox", { name: "Find" });
  await page.keyboard.press("/");
  await expect(field).not.toBeFocused();
  await page.keyboard.press("Control+k");
  await expect(field).toBeFocused();
});
