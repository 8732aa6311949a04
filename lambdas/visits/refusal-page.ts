import type { Decision } from '../../core/visit/decide-visit.ts';
import { gonePage } from '../../web/pages/visitor/gone-page.ts';
import { lockedPage } from '../../web/pages/visitor/locked-page.ts';
import { notFoundPage } from '../../web/pages/visitor/not-found-page.ts';
import { restingPage } from '../../web/pages/visitor/resting-page.ts';
import { withheldPage } from '../../web/pages/visitor/withheld-page.ts';
import type { Shown } from '../http/page.ts';

/** A decision that gives a visitor nothing of the site. */
export type Refusal = Extract<
  Decision,
  { kind: 'missing' | 'gone' | 'withheld' | 'resting' | 'locked' }
>;

/** Whether a decision gives a visitor nothing of the site. */
export function isRefusal(decision: Decision): decision is Refusal {
  return ['missing', 'gone', 'withheld', 'resting', 'locked'].includes(decision.kind);
}

/** The page that says why; the same whatever was asked for. `path` is where a password leads to. */
export function refusalPage(brand: string, decision: Decision, path: string): Shown {
  if (decision.kind === 'gone') return { status: 410, page: gonePage({ brand }) };
  if (decision.kind === 'withheld') return { status: 451, page: withheldPage({ brand }) };
  if (decision.kind === 'resting') return { status: 503, page: restingPage({ brand }) };
  if (decision.kind === 'locked') {
    return { status: 401, page: lockedPage({ brand, ask: decision.ask, returnTo: path }) };
  }
  const kind = decision.kind === 'missing' ? decision.what : 'site';
  return { status: 404, page: notFoundPage({ brand, kind }) };
}
