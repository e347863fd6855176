import { type ComponentProps, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { tRich } from "#lib/messages/staff.ts";
import { hidden } from "../text/message-elements.tsx";

/** A box for a password, with a button that shows what is typed if scripts run. */
export function PasswordInput(props: ComponentProps<"input">) {
  const isHydrated = useHydrated();
  const [isShown, show] = useState(false);
  return (
    <div className="flex gap-2">
      <input {...props} type={isShown ? "text" : "password"} />
      {isHydrated && (
        <button type="button" className="btn btn-quiet" aria-pressed={isShown} onClick={() => show(!isShown)}>
          {tRich("components.passwordInput.show", { hidden })}
        </button>
      )}
    </div>
  );
}
