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

/** The brand of the service, and the custom domain of the request; null for none. */
export interface RefusedAt {
  brand: string;
  domainId: string | null;
}

/**
 * The page that explains a refusal. `returnTo` is the path with query to which a correct password
 * leads.
 */
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
      return { status: 503, page: restingPage({ brand, isTemporary: refusal.isTemporary }) };
    case 'locked':
      return { status: 401, page: lockedPage({ brand, ask: refusal.ask, returnTo }) };
  }
}

/** The page of a 404. At a custom domain it does not mention this service. */
export function missingPage({ brand, domainId }: RefusedAt, kind: 'site' | 'file'): Page {
  const isNeutral = kind === 'site' && domainId !== null;
  return notFoundPage({ brand: isNeutral ? '' : brand, kind });
}
