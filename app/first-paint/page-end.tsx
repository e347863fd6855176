/** The id of the script behind all that is shown. */
export const pageEnd = "page-end";

/** A hidden tab paints nothing, so there is no paint to wait for. */
const preloadScripts = `{
const preload = () => { for (const link of document.querySelectorAll("[rel=late-script]")) link.rel = "modulepreload" };
document.hidden ? preload() : requestAnimationFrame(() => setTimeout(preload)) }`;

/** Preloads the page's scripts once it is painted. The script has run when React takes the page over. */
export const PageEnd = ({ nonce }: { nonce: string | undefined }) => (
  <script
    id={pageEnd}
    nonce={nonce}
    dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? preloadScripts : "" }}
    suppressHydrationWarning
  />
);
