import { Trash2 } from "lucide-react";
import { Link } from "react-router";

type FormFootProps = {
  /** On the button that saves. */
  act: string;
  /** The name of that button in `intent`. */
  intent?: string;
  cancelTo: string;
  /** The way to removing the record, where there is one to remove. */
  removal?: { label: string; to: string } | undefined;
};

/** What a record's form ends with. */
export const FormFoot = ({ act, intent = "save", cancelTo, removal }: FormFootProps) => (
  <div className="panel-foot flex flex-wrap items-center gap-3 !py-4 lg:!px-6">
    <button type="submit" className="btn btn-primary" name="intent" value={intent}>
      {act}
    </button>
    <Link className="btn btn-quiet" to={cancelTo}>
      Cancel
    </Link>
    {removal && (
      <Link className="btn btn-plain !text-bad sm:ml-auto" to={removal.to} preventScrollReset>
        <Trash2 className="ico" />
        {removal.label}
      </Link>
    )}
  </div>
);
