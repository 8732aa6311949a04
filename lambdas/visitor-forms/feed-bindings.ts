import { feedPath, visitVersionFeed } from '../../core/projects/versions/version-feed.ts';
import { addresses } from '../../core/projects/addresses/addresses.ts';
import { noToken } from '../../core/visit/access/viewer.ts';
import type { Refusal } from '../../core/visit/refuse-visit.ts';
import { errorPage } from '../../web/pages/visitor/refusal-pages.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { lazy } from '../shared/lazy.ts';
import { setting } from '../shared/settings.ts';
import { refusalPage } from '../visits/refusal-page.ts';
import { siteAddress, visitorPage, visitorServices } from './visitor-services.ts';

const services = lazy(() => ({
  ...visitorServices(),
  addresses: addresses(setting('BASE_URL'), setting('SITES_DOMAIN')),
}));

/** The Atom feed of a project's versions, with the access of the project. */
export const feedBindings: Binding[] = [{ method: 'GET', route: feedPath, serve: serveFeed }];

async function serveFeed(request: ApiRequest) {
  const { headers, caller } = request;
  const visited = await visitVersionFeed(services(), {
    ...siteAddress(request),
    access: headers['x-slipway-access'] ?? noToken,
    conditions: {
      ifNoneMatch: headers['if-none-match'],
      ifModifiedSince: headers['if-modified-since'],
    },
  });
  if ('refusal' in visited) return visitorPage(request, refusedFeed(visited.refusal));
  const { feed, isPublic, validators } = visited;
  return {
    statusCode: feed === undefined ? 304 : 200,
    headers: {
      'content-type': 'application/atom+xml; charset=utf-8',
      'cache-control': isPublic ? 'no-cache' : 'private, no-cache',
      etag: validators.etag,
      'last-modified': validators.lastModified.toUTCString(),
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'x-request-id': caller.requestId,
    },
    body: feed ?? '',
  };
}

/** With the status that the pages of the site have: programs ask no more for a feed that is gone. */
function refusedFeed(refusal: Refusal) {
  const { brand } = visitorServices();
  if (refusal.kind !== 'locked') return refusalPage({ brand, domainId: null }, refusal, feedPath);
  const page = errorPage({
    brand,
    status: 401,
    title: 'Only readers of this site see its versions',
    text: 'Open the site in this browser first, then this address again.',
  });
  return { status: 401, page };
}
