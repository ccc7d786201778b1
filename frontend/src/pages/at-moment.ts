/** Links of a replay that depend on the current moment: `data-at-moment` names the parameter. */

document.addEventListener(
  "click",
  (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-at-moment]") : null;
    const seq = /^#seq=(\d{1,7})$/.exec(location.hash)?.[1];
    if (link === null || seq === undefined) return;
    const address = new URL(link.href);
    address.searchParams.set(link.dataset["atMoment"] || "seq", seq);
    link.href = address.href;
  },
  { capture: true },
);

export {};
