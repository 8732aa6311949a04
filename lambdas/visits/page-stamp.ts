import { createHash } from 'node:crypto';
import type { Decision } from '../../core/visit/decide-visit.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import type { VisitedPage } from './visit-parts.ts';

/** What makes pages: another build, or a deployment under another name, makes others of the same. */
export interface PageMaker {
  brand: string;
  build: string;
  /** Of the app, which pages name. */
  appUrl: string;
}

/**
 * Tells a page of ours about a project from every other one, without making it: what is shown, the
 * project's settings, the address, and who makes it. Pure.
 *
 * Settings are taken whole but for those that no page shows, so that one which comes to be added is
 * not forgotten here.
 */
export function pageStamp(
  maker: PageMaker,
  { site, path, preview }: Omit<VisitedPage, 'files'>,
  decision: Extract<Decision, { kind: 'listing' | 'offer' }>,
): string {
  const parts = [maker, shownBy(decision, site), settingsOf(site), path, preview];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

/** A file is known by its hash; a folder by the list of all files, which stands in the record or in a store of its own. */
function shownBy(
  decision: Extract<Decision, { kind: 'listing' | 'offer' }>,
  { manifest, store }: ServingRecord,
): unknown {
  if (decision.kind === 'offer') {
    const { path, entry } = decision;
    return [path, entry.size, entry.hash];
  }
  const list = manifest === undefined ? store : createHash('sha256').update(manifest).digest('hex');
  return [decision.folder, list];
}

function settingsOf(site: ServingRecord) {
  const {
    manifest: _,
    rules: __,
    version: ___,
    store: ____,
    publishedAt: _____,
    ...settings
  } = site;
  const { restingUntil: ______, passwordStamp: _______, ...shown } = settings;
  return Object.entries(shown).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
