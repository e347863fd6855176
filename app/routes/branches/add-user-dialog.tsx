import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useLocation, useSearchParams } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import { t } from "#lib/messages/staff.ts";
import type { Branch } from "#provider/contract/branches.ts";
import { CloseLink, Dialog, DialogProblems } from "../../components/dialog/dialog.tsx";
import type { SummaryError } from "../../components/form/error-summary.tsx";
import { Form } from "../../components/form/form.tsx";
import type { UserSearch } from "./find-users.server.ts";

type AddUserDialogProps = { branch: Branch; found: UserSearch; chosen: string; errors: SummaryError[] };

/**
 * Searches users and adds one to a branch. One form with two buttons: the first one, which Enter presses, puts the search
 * text in the address; the other adds.
 */
export default function AddUserDialog({ branch, found, chosen, errors }: AddUserDialogProps) {
  const { pathname } = useLocation();
  const below = [...useSearchParams()[0]].filter(([name]) => !["dialog", "search", "found", "user"].includes(name));
  const closeTo = below.length > 0 ? `${pathname}?${new URLSearchParams(below)}` : pathname;
  const input = useRef<HTMLInputElement>(null);
  const isHydrated = useHydrated();
  const [isEmpty, setEmpty] = useState(found.search === "");
  const check = () => setEmpty(input.current!.value.trim() === "");
  useEffect(check, []);
  return (
    <Dialog
      title={t("branches.addUserDialog.addUserToBranch")}
      lead={
        <>
          <DialogProblems errors={errors} />
          <p>{t("branches.addUserDialog.effect", { name: branch.name })}</p>
        </>
      }
      closeTo={closeTo}
    >
      <Form method="post" className="mt-4" replace preventScrollReset>
        {/* Searching keeps the dialog open, and the page below it as it is. */}
        <input type="hidden" name="dialog" value="add-user" />
        {below.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div className="field">
          <label htmlFor="search">{t("branches.addUserDialog.nameOrEmail")}</label>
          <div className="flex gap-2">
            <input
              className="input"
              id="search"
              name="search"
              type="text"
              autoComplete="off"
              spellCheck={false}
              maxLength={200}
              defaultValue={found.search}
              ref={input}
              onInput={check}
              data-first
              autoFocus
            />
            <button type="submit" className="btn btn-quiet" formMethod="get">
              <Search className="ico" />
              {t("common.search")}
            </button>
          </div>
        </div>
        {found.search && <FoundUsers found={found} branchId={branch.id} chosen={chosen} />}
        <div className="modal-foot">
          <CloseLink to={closeTo} />
          <button type="submit" className="btn btn-primary" disabled={isHydrated && isEmpty}>
            {t("common.addUser")}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

type FoundUsersProps = { found: UserSearch; branchId: number; chosen: string };

function FoundUsers({ found: { search, users, isCut }, branchId, chosen }: FoundUsersProps) {
  if (!users) return null;
  if (users.length === 0) {
    return (
      <p className="mt-4 text-muted" role="status">
        {t("branches.addUserDialog.noMatch", { search })}
      </p>
    );
  }
  return (
    <fieldset className="mt-4">
      <legend className="legend">{t("branches.addUserDialog.found")}</legend>
      <input type="hidden" name="found" value={search} />
      {users.map(({ id, name, email, branch, branch_id }) => (
        <div key={id} className="choice py-1">
          <input
            className="radio radio-primary"
            type="radio"
            id={`user-${id}`}
            name="user"
            value={id}
            defaultChecked={String(id) === chosen || users.length === 1}
            disabled={branch_id === branchId}
          />
          <label htmlFor={`user-${id}`} className="grow cursor-pointer">
            <b>{name}</b>
            <small className="block text-sm text-muted">
              {branch_id === branchId
                ? t("branches.addUserDialog.alreadyHere", { email })
                : branch
                  ? t("branches.addUserDialog.inBranch", { email, branch })
                  : email}
            </small>
          </label>
        </div>
      ))}
      {isCut && <p className="hint mt-1">{t("branches.addUserDialog.thereAreMore")}</p>}
    </fieldset>
  );
}
