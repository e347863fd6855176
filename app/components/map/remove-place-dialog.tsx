import { Form } from "react-router";
import { CheckboxField } from "../checkbox-field.tsx";
import { CloseLink, Dialog } from "../dialog.tsx";
import { type RemovableScan, removePlaceDialog } from "./removable-scan.ts";

/** Confirms that a scan's place is to be removed. */
export default ({ scan, closeTo }: { scan: RemovableScan; closeTo: string }) => (
  <Dialog
    title="Remove place"
    lead={
      <p>
        The place sent with the scan of <b>{scan.number}</b> on {scan.at} is erased. The scan itself stays.
      </p>
    }
    closeTo={closeTo}
  >
    <Form method="post" action={closeTo}>
      <input type="hidden" name="scan" value={scan.id} />
      <CheckboxField
        className="mt-4"
        field={{ id: "network", name: "network" }}
        label="Also the other places from the same network on that day"
        hint="Among this document’s scans: for a visitor who sent many false places"
      />
      <div className="modal-foot">
        <CloseLink to={closeTo} />
        <button type="submit" className="btn btn-error" name="intent" value={removePlaceDialog}>
          Remove place
        </button>
      </div>
    </Form>
  </Dialog>
);
