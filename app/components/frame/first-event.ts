import { startTransition, useEffect, useState } from "react";
import { type Control, isChanged } from "../form/changed-control.ts";
import { keptEntries, readFromTab } from "./tab-storage.ts";

/** What the user did first since scripts took the page over; known to the frame of an error's page as well. */
let firstEvent: Event | undefined;

export function useFirstEvent() {
  const [first, setFirst] = useState(firstEvent);
  useEffect(() => {
    const setFirstEvent = (event: Event) => startTransition(() => setFirst((firstEvent ??= event)));
    // Typed before scripts came, or before a full load.
    if (wasTypedEarly() || readFromTab(keptEntries)) setFirstEvent(new Event("input"));
    for (const type of ["pointerdown", "keydown", "input"])
      document.addEventListener(type, setFirstEvent, { once: true });
  }, []);
  return first;
}

/** Whether something was typed before scripts came. */
const wasTypedEarly = () =>
  [...document.querySelectorAll<Control>("form :is(input, textarea, select)")].some(isChanged);
