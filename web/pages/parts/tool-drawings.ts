import type { ToolDrawing } from '../../../contract/discovery/icons.ts';
import { html } from './html.ts';

/** Strokes on a grid of 24. */
const shapes: Record<ToolDrawing, string> = {
  publish: 'M4 20h16M12 16V4M7 9l5-5 5 5',
  upload: 'M4 14v6h16v-6M12 16V4M7 9l5-5 5 5',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM13.5 7.5l3 3',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M13 4.5h4v5h-4zM7 14.5h4v5H7z',
  delete: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6',
  list: 'M4 6h2M10 6h10M4 12h2M10 12h10M4 18h2M10 18h10',
  read: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  opens: 'M4 20V10M10 20V4M16 20v-7M21 20H3',
  qr: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2M20 14v6h-4M14 20h.1',
  account: 'M8 8a4 4 0 1 0 8 0 4 4 0 1 0-8 0M4 21c0-4 3-6 8-6s8 2 8 6',
};

/** The drawing of a tool as a file. Its ground is pale, because clients show it on any colour. */
export function toolDrawing(drawing: ToolDrawing): string {
  const { [drawing]: path } = shapes;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 32 32"><rect x="-4" y="-4" width="32" height="32" rx="7" fill="#eef2f1"/><path d="${path}" fill="none" stroke="#12242c" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`.toString();
}
