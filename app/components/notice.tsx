import { CircleCheck } from "lucide-react";

/** A toast shown for 5 seconds (`docs/specification.md` section 9), longer while it is hovered or focused. */
export function Notice({ text }: { text: string }) {
  return (
    <div className="notice notice-toast" role="status">
      <CircleCheck className="ico" />
      <p>{text}</p>
    </div>
  );
}
