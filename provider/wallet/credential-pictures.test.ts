import { toBuffer } from "qrcode";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { asFile } from "#tests/fixtures/files.ts";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { withWallet } from "#tests/fixtures/wallets.ts";
import { walletFields } from "../contract/wallet-fields.ts";

const suite = describe.runIf(hasDatabase());

async function withPictures(...args: Parameters<typeof withWallet>) {
  const wallet = await withWallet(...args);
  const check = (...pictures: Buffer[]) => {
    const body = new FormData();
    for (const picture of pictures) body.append("picture", asFile(picture, "picture"));
    return wallet.call("checkCredential", { body });
  };
  return { ...wallet, check };
}

/** As a wallet shows it: at the lowest level, as a credential is long. */
const qrOf = (text: string) => toBuffer(text, { errorCorrectionLevel: "L", scale: 5 });

/** As a phone takes it from a screen that is held askew, in light from one side. */
const photographed = async (qr: Buffer) => {
  const { width } = await sharp(qr).metadata();
  const background = "#404448";
  const askew = sharp(qr)
    .rotate(11, { background })
    .extend({ top: 300, left: 150, right: 400, bottom: 200, background });
  const light = `<svg width="${width}" height="${width}"><linearGradient id="l"><stop stop-opacity="0.35"/>
    <stop offset="1" stop-opacity="0"/></linearGradient><rect width="100%" height="100%" fill="url(#l)"/></svg>`;
  return sharp(await askew.png().toBuffer())
    .composite([{ input: Buffer.from(light), gravity: "centre" }])
    .blur(0.8)
    .jpeg({ quality: 70 })
    .toBuffer();
};

suite("POST /verify/credential with a picture", () => {
  test("gives the verdict of the credential whose QR code is in it, with all fields and with none", async () => {
    const { call, admin, document, credential, check } = await withPictures([...walletFields]);
    const whole = await credential();
    for (const text of [whole, `${whole.split("~")[0]}~`]) {
      const typed = await call("checkCredential", { body: { credential: text } });
      expect(typed.json.verdict).toBe("in force");
      const qr = await qrOf(text);
      const webp = await sharp(qr).webp().toBuffer();
      for (const picture of [qr, webp, await photographed(qr)]) expect((await check(picture)).json).toEqual(typed.json);
    }
    await call("exitDocument", { token: admin.token, params: { id: document.id }, body: {} });
    expect((await check(await qrOf(whole))).json.verdict).toBe("withdrawn");
  });

  test("says what is wrong with a picture without a credential, and with an altered one", async () => {
    const { credential, check } = await withPictures();
    const none = await qrOf("https://sealdesk.example/v/4C7H29KD3P172XQ08");
    const blank = await sharp({ create: { width: 300, height: 300, channels: 3, background: "white" } })
      .png()
      .toBuffer();
    for (const picture of [none, blank, Buffer.from("no picture"), Buffer.from(""), Buffer.from("\x89PNG\r\n\x1a\n")]) {
      const { status, json } = await check(picture);
      expect([status, Object.keys(json.errors)]).toEqual([422, ["picture"]]);
    }
    const altered = (await credential()).replace("eyJ", "eyK");
    const { status, json } = await check(await qrOf(altered));
    expect([status, Object.keys(json.errors)]).toEqual([422, ["credential"]]);
    expect((await check()).json.errors.picture).toEqual(["Choose the file first"]);
  });

  test("refuses a picture that would take gigabytes to open, and too many of a network", async () => {
    const { credential, check } = await withPictures([], {
      points: (limit, usual) => (limit === "credential_pictures" ? 3 : usual),
    });
    const bomb = await sharp({ create: { width: 16_000, height: 16_000, channels: 3, background: "white" } })
      .png()
      .toBuffer();
    expect((await check(bomb)).status).toBe(422);
    const qr = await qrOf(await credential());
    const replies = [await check(qr), await check(qr), await check(qr)];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
  });
});
