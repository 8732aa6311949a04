import { quietLineStyle } from './quiet-line-style.ts';

/** What the page of connected apps needs besides the common stylesheet. */
export const connectionsStyle = `
.part{margin-top:1.75rem;font-size:1.25rem}
.apps{list-style:none;display:grid;gap:1.25rem;margin-top:.5rem}
.apps li{display:grid;gap:.375rem;padding-top:1.25rem;border-top:1px solid var(--line)}
.apps h3{font-size:1.125rem;overflow-wrap:anywhere}
.apps .hint{font-size:.9375rem;line-height:1.45}
.apps form{margin-top:.375rem}
${quietLineStyle}`;
