import { qrModules, quietModules } from "./qr.ts";

/** Of a printer or scanner with 300 dots per inch three dots: smaller modules blur. */
export const minModuleMillimetres = 0.25;

/** The side of the smallest label for a code, in millimetres, with its quiet zone. */
export const smallestSide = (address: string) => (qrModules(address).size + 2 * quietModules) * minModuleMillimetres;
