export { fuzz } from "../fixtures/fuzz.ts";
