import { Links, Meta, Outlet, Scripts, ScrollRestoration, useMatches } from "react-router";

type Handle = { hasNoScripts?: boolean } | undefined;

export default function Root() {
  const hasScripts = !(useMatches().at(-1)?.handle as Handle)?.hasNoScripts;
  return (
    <html lang="en-GB">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
      </head>
      <body>
        <Outlet />
        {hasScripts && <ScrollRestoration />}
        {hasScripts && <Scripts />}
      </body>
    </html>
  );
}
