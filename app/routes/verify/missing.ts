import { failure } from "../../server/provider/failure.ts";

/** Addresses below /v that lead nowhere, such as a link that was cut: said in the visitor's language. */
export function loader() {
  throw failure(404, { kind: "refused", message: "There is nothing at this address." });
}

export default function Missing() {
  return null;
}
