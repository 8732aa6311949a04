import type { APIGatewayProxyResult } from 'aws-lambda';
import { faviconIco } from '../../web/pages/parts/drawings.ts';
import type { Binding } from '../http/bind.ts';

/** A day. */
const cacheControl = 'public, max-age=86400';

/** Addresses that contain a token or return JSON: crawlers find nothing useful there. */
const robots = `User-agent: *
Disallow: /claim/
Disallow: /upload/
Disallow: /oauth/
Disallow: /v1/
Allow: /
`;

/** Files that browsers and crawlers request from every host. */
export const hostFileBindings: readonly Binding[] = [
  fileBinding('/favicon.ico', 'image/x-icon', { body: faviconIco, isBase64Encoded: true }),
  fileBinding('/robots.txt', 'text/plain; charset=utf-8', { body: robots }),
];

/** A file that is the same for everybody and changes with a release. */
export function fileBinding(
  route: string,
  contentType: string,
  content: Pick<APIGatewayProxyResult, 'body' | 'isBase64Encoded'>,
): Binding {
  return {
    method: 'GET',
    route,
    serve: async ({ caller }) => ({
      statusCode: 200,
      headers: {
        'content-type': contentType,
        'cache-control': cacheControl,
        'x-request-id': caller.requestId,
      },
      ...content,
    }),
  };
}
