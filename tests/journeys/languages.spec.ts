import { expect, test } from "../support/journey.ts";
import { alertsOf, issued, phone, verdict } from "../support/visitor.ts";

// A server of its own, as a network may complain ten times in ten minutes.
test.use({ userAgent: phone, serverEnv: {} });

/** What a stranger reads and presses, as the pages have it. */
type Read = {
  language: string;
  locale: string;
  direction: "ltr" | "rtl";
  inForce: string;
  issued: RegExp;
  report: string;
  send: string;
  missing: string;
  text: string;
  complaint: string;
  thanks: string;
  ended: string;
  withdrawn: RegExp;
  typeCode: string;
  enterCode: string;
};

const reads: Read[] = [
  {
    language: "German",
    locale: "de-AT",
    direction: "ltr",
    inForce: "Dieses Dokument ist gültig",
    issued: /^Hallam & Reid Ltd hat es ausgestellt und steht heute dazu\.$/,
    report: "Problem melden",
    send: "Meldung senden",
    missing: "Geben Sie das Problem ein",
    text: "Was nicht stimmt",
    complaint: "Die Miete auf dem Papier ist eine andere",
    thanks: "Vielen Dank. Hallam & Reid Ltd wurde benachrichtigt.",
    ended: "Nicht mehr gültig",
    withdrawn: /hat dieses Dokument ausgestellt, aber am \d+\. \p{L}+ \d{4} zurückgezogen\./u,
    typeCode: "Code eingeben",
    enterCode: "Geben Sie den Code ein",
  },
  {
    language: "Polish",
    locale: "pl-PL",
    direction: "ltr",
    inForce: "Ten dokument jest ważny",
    issued: /^Firma Hallam & Reid Ltd wystawiła go i dziś go potwierdza\.$/,
    report: "Zgłoś problem",
    send: "Wyślij zgłoszenie",
    missing: "Proszę opisać problem",
    text: "Co jest nie tak",
    complaint: "Czynsz na papierze jest inny",
    thanks: "Dziękujemy. Firma Hallam & Reid Ltd została powiadomiona.",
    ended: "Już nieważny",
    withdrawn: /wystawiła ten dokument, ale wycofała go \d+ \p{L}+ \d{4}\./u,
    typeCode: "Wpisz kod",
    enterCode: "Proszę wpisać kod",
  },
  {
    language: "Chinese",
    locale: "zh-CN",
    direction: "ltr",
    inForce: "此文件有效",
    issued: /^Hallam & Reid Ltd签发了此文件，并且今天仍予以认可。$/,
    report: "报告问题",
    send: "发送报告",
    missing: "请输入问题",
    text: "问题是什么",
    complaint: "纸上的租金不一样",
    thanks: "谢谢。已通知Hallam & Reid Ltd。",
    ended: "已失效",
    withdrawn: /签发了此文件，但已于\d{4}年\d+月\d+日撤回。/,
    typeCode: "输入编码",
    enterCode: "请输入编码",
  },
  {
    language: "Arabic",
    locale: "ar-EG",
    direction: "rtl",
    inForce: "هذا المستند ساري المفعول",
    issued: /^أصدرته الشركة Hallam & Reid Ltd وهي تؤكده اليوم\.$/,
    report: "الإبلاغ عن مشكلة",
    send: "إرسال البلاغ",
    missing: "أدخلوا المشكلة",
    text: "ما الخطأ",
    complaint: "الإيجار على الورقة مختلف",
    thanks: "شكرًا لكم. تم إبلاغ الشركة Hallam & Reid Ltd.",
    ended: "لم يعد ساري المفعول",
    withdrawn: /أصدرت الشركة Hallam & Reid Ltd هذا المستند، لكنها سحبته في \d+ \p{L}+ \d{4}\./u,
    typeCode: "إدخال رمز",
    enterCode: "أدخلوا الرمز",
  },
];

for (const { language, locale, direction, ...read } of reads) {
  test.describe(`in ${language}`, () => {
    test.use({ locale });

    test("a visitor checks a document, complains after an error, and finds it withdrawn", async ({
      page,
      server,
      signInAs,
    }) => {
      const { client, code, path, name } = await issued(server.url);
      await page.goto(`/v/${code}`);
      await expect(page.locator("html")).toHaveAttribute("dir", direction);
      await expect(verdict(page)).toHaveText(read.inForce);
      await expect(page).toHaveTitle(`${read.inForce} – Sealdesk`);
      await expect(page.locator("main p").first()).toHaveText(read.issued);
      await page.getByText(read.report).click();
      await page.getByRole("button", { name: read.send }).click();
      await expect(page.getByText(read.missing)).toBeVisible();
      await page.getByLabel(read.text).fill(read.complaint);
      await page.getByRole("button", { name: read.send }).click();
      await expect(page.getByRole("status")).toHaveText(read.thanks);
      await expect(page.locator("#answer")).toBeInViewport();

      await client.post(path, { intent: "exit", reason: "1" });
      await page.goto(`/v/${code}`);
      await expect(verdict(page)).toHaveText(read.ended);
      await expect(page.getByText(read.withdrawn)).toBeVisible();

      await page.goto("/v/00000000000000000");
      await page.getByRole("link", { name: read.typeCode }).click();
      await page.locator("[name=code]").fill("");
      await page.locator("main [type=submit]").click();
      await expect(page.locator(".field-error")).toContainText(read.enterCode);

      const table = await alertsOf(page, name, signInAs);
      await table.getByRole("row", { name: "Complaint" }).getByRole("rowheader").getByRole("link").click();
      await expect(page.getByText(`“${read.complaint}”`).first()).toBeVisible();
      await expect(page.getByText(`Written on the page in ${language}`)).toBeVisible();
    });
  });
}

test("a visitor chooses another language, which stays, and is no second scan", async ({ page, server, signInAs }) => {
  const { code, path } = await issued(server.url);
  await page.goto(`/v/${code}`);
  await expect(verdict(page)).toHaveText("This document is in force");
  await page.getByText("English").click();
  await page.getByRole("button", { name: "Türkçe" }).click();
  await expect(verdict(page)).toHaveText("Bu belge yürürlükte");
  await page.locator("[name=place]").fill("Preston");
  await page.getByRole("button", { name: "Bu yeri paylaş" }).click();
  await expect(page.getByRole("status")).toContainText("bu taramanın nerede yapıldığını görüyor");
  await page.getByText("Dosyanız uyuşuyor mu?").click();
  await page.getByRole("button", { name: "Dosyayı karşılaştır" }).click();
  await expect(page.getByText("Önce dosyayı seçin")).toBeVisible();
  await page.getByRole("link", { name: "Belgenin kontrolüne dön" }).click();
  await expect(verdict(page)).toHaveText("Bu belge yürürlükte");
  await signInAs();
  await page.goto(path);
  await expect(page.getByRole("table", { name: "Newest scans" }).getByRole("row")).toHaveCount(3);
});

test("a report that was refused stays typed in another language", async ({ page, server }) => {
  const { code } = await issued(server.url);
  const [long, contact] = ["x".repeat(1001), "ada@example.com"];
  await page.goto(`/v/${code}`);
  await page.getByText("Report a problem").click();
  await page.locator("[name=text]").fill(`First line\n${long}`);
  await page.locator("[name=contact]").fill(contact);
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.locator(".field-error")).toBeVisible();
  await page.getByText("English").click();
  await page.getByRole("button", { name: "Français" }).click();
  await expect(page.locator("textarea[name=text]")).toBeVisible();
  await expect(page.locator("textarea[name=text]")).toHaveValue(`First line\n${long}`);
  await expect(page.locator("input[name=contact]:not([type=hidden])")).toHaveValue(contact);
});

test("a visitor corrects a mistyped code in another language, and what was typed reads from left to right", async ({
  page,
}) => {
  await page.goto("/v");
  await page.locator("[name=code]").fill("1234-5678-ABCD-2XQ0-8");
  await page.locator("[name=number]").fill("4471/2026-AB");
  await page.locator("main [type=submit]").click();
  await page.locator("main a.btn").click();
  await page.getByText("English").click();
  await page.getByRole("link", { name: "العربية" }).click();
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  for (const [name, input] of [
    ["code", "1234-5678-ABCD-2XQ0-8"],
    ["number", "4471/2026-AB"],
  ] as const) {
    const field = page.locator(`[name=${name}]`);
    await expect(field).toHaveValue(input);
    await expect(field).toHaveCSS("direction", "ltr");
  }
});
