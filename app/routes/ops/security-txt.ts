import { securityTxt } from "../../server/request/security-txt.ts";

/** For those who found a weakness. */
export const loader = securityTxt;
