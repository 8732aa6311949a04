import { quietLineStyle } from './quiet-line-style.ts';

/** What the page that asks for consent needs besides the common stylesheet. */
export const consentStyle = `
.grants{display:grid;gap:.625rem;margin-top:.5rem}
.grants h2{font-size:1.125rem}
.grants ul{list-style:none;display:grid;gap:.625rem}
.grants li{display:grid;grid-template-columns:1.5rem 1fr;gap:.125rem .625rem}
.grants li>:not(svg){grid-column:2}
.grants svg{width:1.25rem;height:1.25rem;margin-top:.1875rem;fill:none;stroke:var(--water);stroke-width:2.25;stroke-linecap:round;stroke-linejoin:round}
.grants .no{stroke:var(--muted)}
.grants .hint{font-size:.9375rem;line-height:1.45}
${quietLineStyle}`;
