import type { Refusal } from '../../core/visit/refuse-visit.ts';
import { lockedPage } from '../../web/pages/visitor/access-pages.ts';
import {
  gonePage,
  notFoundPage,
  restingPage,
  withheldPage,
} from '../../web/pages/visitor/refusal-pages.ts';
import type { Page } from '../../web/pages/parts/page.ts';
import type { PageResponse } from '../http/page-response.ts';

/** Who answers, and at which custom domain; null for none. */
export interface RefusedAt {
  brand: string;
  domainId: string | null;
}

/** The page that says why. `returnTo` is where a correct password leads to: a path with its query. */
export function refusalPage(at: RefusedAt, refusal: Refusal, returnTo: string): PageResponse {
  const { brand } = at;
  switch (refusal.kind) {
    case 'missing':
      return { status: refusal.isGone === true ? 410 : 404, page: missingPage(at, refusal.what) };
    case 'gone':
      return { status: 410, page: gonePage({ brand }) };
    case 'withheld':
      return { status: 451, page: withheldPage({ brand }) };
    case 'resting':
      return { status: 503, page: restingPage({ brand }) };
    case 'locked':
      return { status: 401, page: lockedPage({ brand, ask: refusal.ask, returnTo }) };
  }
}

/** 404. Where a custom domain has no project, its owner's visitors read nothing of this service. */
export function missingPage({ brand, domainId }: RefusedAt, kind: 'site' | 'file'): Page {
  const isNeutral = kind === 'site' && domainId !== null;
  return notFoundPage({ brand: isNeutral ? '' : brand, kind });
}
