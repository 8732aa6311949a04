/** What of a request tells whether a page was asked for; `Sec-Fetch-*` are empty where they were not sent. The edge says `part` as a purpose where a visitor asked it for a part of a page or its headers. */
export interface Asked {
  method: string;
  fetch: { mode: string; dest: string; site: string; purpose: string };
}

/** How it was answered. */
export interface Answered {
  status: number;
  /** Whether what was asked for is HTML, also where a 304 does not say so. */
  isHtml: boolean;
}

/**
 * What one answered request is to the owner: a request for a page, a browser's own one in case the
 * page will be wanted, or `undefined` for everything else: assets, HEAD, parts, redirects, errors.
 */
export function pageRequestOf(asked: Asked, answered: Answered): 'page' | 'prefetch' | undefined {
  if (asked.method !== 'GET' || (answered.status !== 200 && answered.status !== 304)) {
    return undefined;
  }
  const { purpose } = asked.fetch;
  if (purpose === 'part') return undefined;
  if (/prefetch|prerender|preview/i.test(purpose)) {
    return isNavigation(asked) || answered.isHtml ? 'prefetch' : undefined;
  }
  return isPageRequest(asked, answered) ? 'page' : undefined;
}

/** A document that is navigated to, one that another site frames, or HTML for a client that says nothing. */
function isPageRequest(asked: Asked, { isHtml }: Answered): boolean {
  const { mode, dest } = asked.fetch;
  return mode === '' && dest === '' ? isHtml : isNavigation(asked);
}

const framed = new Set(['iframe', 'frame', 'embed', 'object']);

function isNavigation({ fetch: { mode, dest, site } }: Asked): boolean {
  if (mode !== 'navigate') return false;
  // A frame of the site's own page is part of that page.
  return dest === 'document' || (framed.has(dest) && site !== 'same-origin');
}
