import { feedPath, visitVersionFeed } from '../../core/projects/versions/version-feed.ts';
import { addresses } from '../../core/projects/addresses/addresses.ts';
import { noToken } from '../../core/visit/access/viewer.ts';
import { errorPage, notFoundPage } from '../../web/pages/visitor/refusal-pages.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { lazy } from '../shared/lazy.ts';
import { setting } from '../shared/settings.ts';
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
  if ('refusal' in visited) return refusalPage(request, visited.refusal.kind === 'locked');
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

function refusalPage(request: ApiRequest, isLocked: boolean) {
  const { brand } = visitorServices();
  if (!isLocked)
    return visitorPage(request, { status: 404, page: notFoundPage({ brand, kind: 'file' }) });
  const page = errorPage({
    brand,
    status: 401,
    title: 'Only readers of this site see its versions',
    text: 'Open the site in this browser first, then this address again.',
  });
  return visitorPage(request, { status: 401, page });
}
