import { securityTxt } from "../../server/security-txt.ts";

/** For those who found a weakness. */
export const loader = securityTxt;
