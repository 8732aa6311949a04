import { mediaType } from '../content/media-type.ts';
import { decideVisit } from '../visit/decide-visit.ts';
import type { Manifest } from '../visit/manifest.ts';
import type { ServingRecord } from '../visit/serving-record.ts';

/** A file that embeds show in a way of its own. */
export interface EmbeddedFile {
  path: string;
  kind: 'image' | 'video' | 'audio';
}

/**
 * The picture, film or sound that an address of a site stands for; `undefined` where it is a page,
 * `missing` where there is nothing.
 */
export function embeddedFile(
  site: ServingRecord,
  files: Manifest,
  path: string,
): EmbeddedFile | 'missing' | undefined {
  const decision = decideVisit(site, files, {
    path,
    query: '',
    accept: 'text/html',
    acceptEncoding: '',
    conditions: {},
    fetch: { mode: 'navigate', dest: 'iframe', site: 'cross-site', purpose: '' },
  });
  if (decision.kind === 'missing' || decision.kind === 'not-found-page') return 'missing';
  const file = 'file' in decision ? decision.file.path : 'path' in decision ? decision.path : '';
  const [kind] = mediaType(file).split('/');
  return kind === 'image' || kind === 'video' || kind === 'audio'
    ? { path: file, kind }
    : undefined;
}
