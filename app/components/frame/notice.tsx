import { CircleAlert, CircleCheck } from "lucide-react";

/** Says for 5 seconds what was done (`docs/specification.md` section 9), or why not; stays while hovered or focused. */
export function Notice({ text, isRefusal = false }: { text: string; isRefusal?: boolean }) {
  return (
    <div className={`notice notice-toast ${isRefusal ? "is-bad" : ""}`} role={isRefusal ? "alert" : "status"}>
      {isRefusal ? <CircleAlert className="ico" /> : <CircleCheck className="ico" />}
      <p>{text}</p>
    </div>
  );
}
