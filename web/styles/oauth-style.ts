/** The app chose its name, but not the host that gets the answer: the name is never larger. */
export const targetStyle = `
.facts dd{min-width:0}
.facts strong{font-size:clamp(1.75rem,1.5rem + 1vw,2.125rem);line-height:1.15;overflow-wrap:anywhere}
`;

/** Styles of the consent page, in addition to the common stylesheet. */
export const consentStyle = `${targetStyle}
.grants{display:grid;gap:.625rem;margin-top:.5rem}
.grants h2{font-size:1.125rem}
.grants ul{list-style:none;display:grid;gap:.625rem}
.grants li{display:grid;grid-template-columns:1.5rem 1fr;gap:.125rem .625rem}
.grants li>:not(svg){grid-column:2}
.grants svg{width:1.25rem;height:1.25rem;margin-top:.1875rem;fill:none;stroke:var(--water);stroke-width:2.25;stroke-linecap:round;stroke-linejoin:round}
.grants .no{stroke:var(--muted)}
.grants .hint{font-size:.9375rem;line-height:1.45}
.claim{overflow:clip}
.panel>.form{position:sticky;bottom:0;z-index:1;padding-block:1rem .25rem;background:var(--sheet)}
.quiet-line{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem}
.linked{padding:.5rem 0;border:0;background:none;color:var(--water);font:inherit;text-decoration:underline;text-decoration-thickness:.07em;text-underline-offset:.2em;cursor:pointer}
.linked:hover{text-decoration-thickness:.14em}
`;
