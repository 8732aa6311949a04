import { type Html, html } from './html.ts';

const markShapes = html`<path class="slope" d="M2 20.5 30 27.5" fill="none" stroke="#1b6874" stroke-width="2.4" stroke-linecap="round"/><g transform="rotate(14 16 16)"><path class="ink" d="M4 10h25l-2 4.4H6z" fill="#12242c"/><path class="lead" d="M6.6 15.8h19.8l-2 4.2H9.8z" fill="#b3361a"/></g>`;

/** The mark: a hull on its slope. Beside the name it says nothing new, so it is hidden from readers. */
export function logo(): Html {
  return html`<svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">${markShapes}</svg>`;
}

/** The mark as a file, on a pale disc: it stands on dark tab bars too. */
export const faviconSvg =
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#eef2f1"/><g transform="translate(3.2 2.6) scale(.8)">${markShapes}</g></svg>`.toString();

/** The same as a data address: browsers then ask for no `/favicon.ico`. */
export const favicon = `data:image/svg+xml,${encodeURIComponent(faviconSvg)}`;

const boat = html`<path class="ink" d="M0 0h132l-9 21H9z"/><path class="lead" d="M10 25h111.5l-6 15H21z"/><path class="ink" d="M30-4v-22h38v22zM76-4v-13h22v13z"/><path class="pane" d="M37-20h9v8h-9zM52-20h9v8h-9z"/>`;

/**
 * The slipway from the side: rails running down into the water.
 * @param hull `ready` on the slope (the landing page's script lets it down), `away` on the horizon, or `none`
 */
export function slipwayDrawing(hull: 'ready' | 'away' | 'none'): Html {
  return html`<svg class="slipway" viewBox="0 0 600 170" aria-hidden="true" focusable="false">
${hull === 'away' && html`<g class="away" transform="translate(486 102) scale(.4)">${boat}</g>`}
${hull === 'ready' && html`<g class="hull"><g class="swell"><g transform="translate(0 -42)">${boat}</g></g></g>`}
<path class="water" d="M312 124${waves(15)}V170H312z"/><path class="wave" d="M312 124${waves(15)}"/><path class="wave faint" d="M420 142${waves(2)}M508 153${waves(3)}"/>
<path class="ramp" d="M0 62 540 170H0z"/><path class="rail" d="M0 62 540 170"/>
</svg>`;
}

/** Ripples of 18 units each, to be appended to a starting point. */
function waves(amount: number): string {
  return `q9-6 18 0${'t18 0'.repeat(amount)}`;
}
