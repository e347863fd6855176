import { useEffect, useState } from "react";
import { usePageUser } from "./form.tsx";

/** Whether this browser has opened a page of another user since this one: all its tabs send what their pages are made for. */
export function useOtherUser(): boolean {
  const who = usePageUser()?.split(".")[0];
  const [isOther, setIsOther] = useState(false);
  useEffect(() => {
    const tabs = new BroadcastChannel("page-user");
    tabs.addEventListener("message", ({ data }) => setIsOther(data !== who));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    tabs.postMessage(who);
    return () => tabs.close();
  }, [who]);
  return isOther;
}
