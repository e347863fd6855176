import { CircleCheck } from "lucide-react";

/** Says for 5 seconds what was done (`docs/specification.md` section 9); stays while hovered or focused. */
export function Notice({ text }: { text: string }) {
  return (
    <div className="notice notice-toast" role="status">
      <CircleCheck className="ico" />
      <p>{text}</p>
    </div>
  );
}
