import { t, tRich } from "#lib/messages/staff.ts";
import {
  type Area,
  areas,
  companyAreas,
  partsOf,
  permissionOf,
  type Right,
  rights,
  rightsIn,
  type Scope,
  scopes,
} from "#provider/contract/areas.ts";
import { areaNames, rightNames, scopeNames } from "../../components/user/area-words.ts";
import { hidden } from "../../components/text/message-elements.tsx";
import { areaMeanings, nothingElse } from "./group-words.ts";
import { FieldError, type FieldState, Options, withStored } from "../../components/form/field.tsx";

/** The names of an area's controls. */
const scopeField = (area: string) => `${area}-scope`;
const rightField = (area: string, right: Right) => `${area}-${right}`;

/** The names of all controls. */
export const rightsFields = areas.flatMap((area) => [
  scopeField(area),
  ...rightsIn(area).map((right) => rightField(area, right)),
]);

/** The form's choices as permission strings; half a string if unfinished. */
export function permissionsIn(form: { get(name: string): unknown; has(name: string): boolean }): Record<Area, string> {
  const scopeOf = (area: Area) => scopes.find((scope) => scope === form.get(scopeField(area)));
  const ticked = (area: Area) => rights.filter((right) => form.has(rightField(area, right)));
  return Object.fromEntries(areas.map((area) => [area, permissionOf(scopeOf(area), ticked(area))])) as Record<
    Area,
    string
  >;
}

/**
 * Completes an area whose control was just changed: a ticked right gets the narrowest scope, a scope the right to read,
 * and no access no right.
 */
export function completeArea(form: HTMLFormElement, { name, value, checked }: HTMLInputElement) {
  const [area = "", part] = name.split("-");
  const scope = form.elements.namedItem(scopeField(area)) as HTMLSelectElement | null;
  if (!scope) return;
  const boxes = rights.flatMap(
    (right) => (form.elements.namedItem(rightField(area, right)) as HTMLInputElement | null) ?? [],
  );
  if (part !== "scope") {
    if (checked && !scope.value) scope.value = scope.options[scope.options.length - 1]!.value;
  } else if (!value) {
    for (const box of boxes) box.checked = false;
  } else if (!boxes.some((box) => box.checked)) {
    boxes[0]!.checked = true;
  }
}

/** A row of controls for every area: the scope, and the rights. */
export const RightsFields = ({ field, hasReleases }: { field(name: string): FieldState; hasReleases: boolean }) => (
  <>
    {areas.map((area) => (
      <AreaRow key={area} area={area} field={field(area)} hasReleases={hasReleases} />
    ))}
    <p className="unscripted words-nothing mt-2 text-sm">{nothingElse}</p>
  </>
);

type AreaRowProps = { area: Area; field: FieldState; hasReleases: boolean };

function AreaRow({ area, field: { id, errors, initialValue }, hasReleases }: AreaRowProps) {
  const { scope, rights: granted } = partsOf(String(initialValue ?? ""));
  const error = errors?.[0];
  const choices: readonly Scope[] = companyAreas.includes(area) ? ["company"] : scopes;
  const options = [
    { value: "", label: t("components.areaWords.noAccess") },
    ...choices.map((scope) => ({ value: scope, label: scopeNames[scope] })),
  ];
  const name = areaNames[area];
  const offered = rightsIn(area).filter((right) => right !== "release" || hasReleases || granted.includes(right));
  const described = { "aria-invalid": error ? true : undefined, "aria-describedby": error ? `${id}-error` : undefined };
  return (
    <div className={`rights-row ${error ? "field-bad" : ""}`} role="group" aria-labelledby={`${id}-area`}>
      {error && (
        <div className="w-full">
          <FieldError id={`${id}-error`} message={error} />
        </div>
      )}
      <b id={`${id}-area`}>{name}</b>
      <label className="sr-only" htmlFor={id}>
        {t("users.rightsFields.scopeForName", { name })}
      </label>
      <select {...described} className="select" id={id} name={scopeField(area)} defaultValue={scope ?? ""}>
        <Options options={withStored(options, scope)} />
      </select>
      {offered.map((right) => (
        <label key={right} className="choice">
          <input
            className="checkbox checkbox-primary"
            type="checkbox"
            name={rightField(area, right)}
            value="1"
            defaultChecked={granted.includes(right)}
          />
          {tRich("users.rightsFields.rightInArea", { area: name, right: rightNames[right], hidden })}
        </label>
      ))}
      <AreaWords area={area} scopes={choices} />
    </div>
  );
}

/** What each choice in an area means. If no script follows the choices, the style sheet shows the one that is made. */
const AreaWords = ({ area, scopes }: { area: Area; scopes: readonly Scope[] }) =>
  areaMeanings(area, scopes).map(({ choice, words }) => (
    <p key={choice} className={`unscripted area-words text-sm ${choice}`}>
      {words}
    </p>
  ));
