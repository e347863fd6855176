import { type ComponentProps, useEffect } from "react";
import { tRich } from "#lib/messages/staff.ts";
import { hidden } from "../text/message-elements.tsx";
import { offerButtons } from "./offer-buttons.ts";

/** A box for a password, with a button that shows what is typed if scripts run. */
export function PasswordInput(props: ComponentProps<"input">) {
  useEffect(offerButtons, []);
  return (
    <div className="flex gap-2">
      <input {...props} type="password" />
      <button type="button" className="btn btn-quiet" aria-pressed="false" data-of={props.id} hidden>
        {tRich("components.passwordInput.show", { hidden })}
      </button>
    </div>
  );
}
