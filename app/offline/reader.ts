import { prepareZXingModule, purgeZXingModule, readBarcodes } from "zxing-wasm/reader";
import wasm from "zxing-wasm/reader/zxing_reader.wasm?url";
import { isVerificationAddress } from "#lib/seal/offline-check.ts";

/** Reading QR codes from pictures and the camera, within this page. */

/** Loads the decoder. Throws if it is neither saved nor to be had; may be called again then. */
export async function prepare() {
  try {
    await prepareZXingModule({ overrides, fireImmediately: true });
  } catch (error) {
    purgeZXingModule();
    throw error;
  }
}

const overrides = { locateFile: () => wasm };

/** What a side of a picture is scaled down to: enough for the densest code, and bounded. */
const maxSide = 2000;

/** The text of a document's code in a picture or a camera's frame, or else of any other; undefined if there is none. */
export async function readCode(picture: ImageBitmap | HTMLVideoElement): Promise<string | undefined> {
  const [width, height] =
    picture instanceof HTMLVideoElement ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height];
  const scale = Math.min(1, maxSide / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context || canvas.width === 0 || canvas.height === 0) return undefined;
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const barcodes = await readBarcodes(context.getImageData(0, 0, canvas.width, canvas.height), { formats: ["QRCode"] });
  const texts = barcodes.map(({ text }) => text);
  return texts.find(isVerificationAddress) ?? texts[0];
}
