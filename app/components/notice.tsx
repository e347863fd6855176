import { CircleCheck } from "lucide-react";

/** Says that something was done, for 5 seconds (`docs/specification.md` section 9); waits while it is pointed at or focused. */
export function Notice({ text }: { text: string }) {
  return (
    <div className="notice notice-toast" role="status">
      <CircleCheck className="ico" />
      <p>{text}</p>
    </div>
  );
}
