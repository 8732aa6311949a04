import type { Refusal } from '../../core/visit/refuse-visit.ts';
import { lockedPage } from '../../web/pages/visitor/access-pages.ts';
import {
  gonePage,
  notFoundPage,
  restingPage,
  withheldPage,
} from '../../web/pages/visitor/refusal-pages.ts';
import type { PageResponse } from '../http/page-response.ts';

/** The page that says why. `returnTo` is where a correct password leads to: a path with its query. */
export function refusalPage(brand: string, refusal: Refusal, returnTo: string): PageResponse {
  switch (refusal.kind) {
    case 'missing':
      return { status: 404, page: notFoundPage({ brand, kind: refusal.what }) };
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
