import { createElement, type SVGProps } from "react";

type IconData = { node: [tag: string, attributes: Record<string, string>][] };

/** Builds an icon of lucide-react in place of its own `createLucideIcon` (`tools/lean-packages.ts`). */
export default function createIcon({ node }: IconData) {
  return (attributes: SVGProps<SVGSVGElement>) =>
    createElement(
      "svg",
      {
        width: 24,
        height: 24,
        viewBox: "0 0 24 24",
        fill: "none",
        stroke: "currentColor",
        strokeWidth: 2,
        strokeLinecap: "round",
        strokeLinejoin: "round",
        "aria-hidden": true,
        ...attributes,
      },
      ...node.map(([tag, shape]) => createElement(tag, shape)),
    );
}
