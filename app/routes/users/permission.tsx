import { Building2, MapPinned, User } from "lucide-react";
import { t } from "#lib/messages/staff.ts";
import { partsOf, rights, type Scope, scopes } from "#provider/contract/areas.ts";
import { rightLetters, rightNames, rightsInWords, scopeNames } from "../../components/user/area-words.ts";

const icons: Record<Scope, typeof User> = { company: Building2, branch: MapPinned, personal: User };

/** A group's permission in an area: its scope, and a letter for each right. */
export function Permission({ permission }: { permission: string }) {
  const { scope, rights: granted } = partsOf(permission);
  const Icon = scope && icons[scope];
  return (
    <span className="rwc">
      <span className="rwc-scope">
        {Icon && <Icon className="ico" />}
        {scope ? scopeNames[scope] : t("components.areaWords.noAccess")}
      </span>
      <span className="rwc-set" aria-hidden="true">
        {rights
          .filter((right) => right !== "release" || granted.includes(right))
          .map((right) =>
            granted.includes(right) ? (
              <i key={right} className="y">
                {rightLetters[right]}
              </i>
            ) : (
              <NotAllowed key={right} />
            ),
          )}
      </span>
      <span className="sr-only">{rightsInWords(granted)}</span>
    </span>
  );
}

const NotAllowed = () => <i className="n">–</i>;

/** The legend of icons and letters. */
export const Legend = () => (
  <div className="flex flex-wrap gap-x-8 gap-y-2 px-5 py-3.5 text-sm max-md:px-4">
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <b>{t("users.permission.scope")}</b>
      {scopes.map((scope) => {
        const Icon = icons[scope];
        return (
          <span key={scope} className="inline-flex items-center gap-1.5">
            <Icon className="ico !h-4 !w-4 text-muted" />
            {scopeNames[scope]}
          </span>
        );
      })}
    </p>
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <b>{t("common.rights")}</b>
      {rights.map((right) => (
        <span key={right} className="inline-flex items-center gap-1.5">
          <span className="rwc-set" aria-hidden="true">
            <i className="y">{rightLetters[right]}</i>
          </span>
          {rightNames[right]}
        </span>
      ))}
      <span className="inline-flex items-center gap-1.5">
        <span className="rwc-set" aria-hidden="true">
          <NotAllowed />
        </span>
        {t("users.permission.notAllowed")}
      </span>
    </p>
  </div>
);
