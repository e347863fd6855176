import { attributeName } from "./filter.ts";
import { isObject, type Resource, urns } from "./protocol.ts";

/** The parts of a resource that a request wants: by `attributes`, or all but `excludedAttributes`. */
export type Projection = { only?: string[] | undefined; without: string[] };

const alwaysReturned = ["id", "schemas"];
const maxNames = 100;

export function projectionOf(query: Record<string, string>): Projection {
  const names = (list: string | undefined) =>
    (list ?? "").split(",", maxNames).flatMap((name) => (name.trim() ? [attributeName(name.trim())] : []));
  const only = names(query["attributes"]);
  return { only: only.length > 0 ? only : undefined, without: names(query["excludedAttributes"]) };
}

export function projected(resource: Resource, projection: Projection): Resource {
  return projectedParts(resource, "", projection);
}

function projectedParts(object: Resource, prefix: string, projection: Projection): Resource {
  const parts = Object.entries(object).flatMap(([key, value]) => {
    // The attributes of the extension are named as if they were the user’s own.
    const path = key === urns.enterprise ? "" : prefix + key.toLowerCase();
    if (path === "") {
      const inner = projectedParts(value as Resource, "", projection);
      const isWhole = projection.only?.includes(key.toLowerCase());
      return projection.without.includes(key.toLowerCase()) ? [] : isWhole ? [[key, value]] : nonEmpty(key, inner);
    }
    if (alwaysReturned.includes(path)) return [[key, value]];
    if (projection.without.includes(path)) return [];
    const isNamed = !projection.only || projection.only.includes(path);
    const inner = isNamed ? { ...projection, only: undefined } : projection;
    const elements = [value].flat();
    if (!elements.every(isObject)) return isNamed ? [[key, value]] : [];
    const inside = elements.map((element) => projectedParts(element, `${path}.`, inner));
    if (!isNamed && inside.every((element) => Object.keys(element).length === 0)) return [];
    return [[key, Array.isArray(value) ? inside : inside[0]]];
  });
  return Object.fromEntries(parts) as Resource;
}

const nonEmpty = (key: string, value: Resource) => (Object.keys(value).length > 0 ? [[key, value]] : []);
