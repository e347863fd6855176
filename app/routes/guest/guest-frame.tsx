import { Outlet, useRouteLoaderData } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { loader as rootLoader } from "../../root.tsx";
import { Brand } from "../../components/frame/brand.tsx";
import { ThemeSwitch } from "../../components/frame/theme-switch.tsx";

/** The frame of pages about signing in, and of those that open from links: without navigation. */
export function GuestFrame() {
  const root = useRouteLoaderData<typeof rootLoader>("root");
  return (
    <>
      <a className="skip-link" href="#main">
        {t("common.skipToMainContent")}
      </a>
      <div className="guest">
        <main id="main" className="flex flex-col justify-center px-5 py-10 sm:px-10">
          <div className="mx-auto w-full max-w-[26rem]">
            <div className="mb-8">
              <Brand />
            </div>
            <Outlet />
            <div className="mt-12 max-w-56">
              <ThemeSwitch theme={root?.theme ?? "auto"} />
            </div>
          </div>
        </main>
        <aside className="guest-side">
          <div className="guilloche" />
          <p className="relative max-w-80 text-[1.75rem] leading-9 font-semibold tracking-tight text-balance">
            {t("guest.guestFrame.slogan")}
          </p>
          <p className="relative mt-3 max-w-80 opacity-85">{t("guest.guestFrame.whatSealdeskDoes")}</p>
        </aside>
      </div>
    </>
  );
}
