import { commonHeaders } from '../../contract/common-headers.ts';
import { fixedResponse, type PlacedOperation } from './api-operation.ts';

/**
 * What CloudFront puts in front of the path, which is `/`, or the key of an object. A name beneath the route makes
 * both match `{path+}`: AWS does not document whether `/_busy/` is `/_busy`.
 */
export const busyOriginPath = '/_busy/page';

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Busy</title>
<h1>This site is busy</h1>
<p>Too many pages were requested at the same moment. Try again in a few seconds.</p>
</html>
`;

const headers = {
  ...commonHeaders,
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
  'retry-after': '5',
};

/**
 * A page with 503 that API Gateway answers without a function, so that it works while all functions
 * are throttled.
 */
export function busyPages(): PlacedOperation[] {
  const operation = fixedResponse({ status: 503, headers, body: page });
  return ['GET', 'HEAD'].map((method) => ({ path: '/_busy/{path+}', method, operation }));
}
