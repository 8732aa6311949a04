/** The links of a project that was published without an account. */
export interface KeptLink {
  url: string;
  /** A secret: whoever has it can claim the project. */
  claimUrl: string;
  /** When both end, in milliseconds since 1970 by the clock of this browser. */
  endsAt: number;
}

/** In the session storage: it survives a reload, and no other tab sees it. */
const storageKey = 'slipway-links';

/** The links that were published in this tab and still work, the latest first. */
export function keptLinks(now: number): KeptLink[] {
  try {
    const all: KeptLink[] = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
    return all.filter(({ endsAt }) => endsAt > now);
  } catch {
    return [];
  }
}

/** Keeps the links of a new project. Without storage, a reload forgets them. */
export function keepLink(link: KeptLink, now: number): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([link, ...keptLinks(now)]));
  } catch {
    // The browser stores nothing for this page.
  }
}
