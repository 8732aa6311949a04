import { describeAgent } from '../../analytics/describe-agent.ts';
import type { Caller } from '../../caller.ts';

/** A browser, or a program, at a sign-in, as its owner may recognise it; null where it does not say. */
export interface BrowserFacts {
  browser: string | null;
  os: string | null;
  /** ISO 3166-1 alpha-2, as the edge has it. */
  country: string | null;
}

/** What a caller says of itself. */
export function browserFacts({ agent }: Caller): BrowserFacts {
  const { browser, os } = describeAgent(agent?.userAgent ?? '');
  const country = agent?.country ?? '';
  return { browser, os, country: /^[A-Z]{2}$/.test(country) ? country : null };
}
