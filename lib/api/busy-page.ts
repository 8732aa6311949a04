import { commonHeaders } from '../../contract/common-headers.ts';
import { fixedResponse, type PlacedOperation } from './api-operation.ts';

/** Where the page is: CloudFront appends the path that the visitor requested. */
export const BUSY_PATH = '/_busy';

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
  return [BUSY_PATH, `${BUSY_PATH}/{path+}`].flatMap((path) =>
    ['GET', 'HEAD'].map((method) => ({ path, method, operation })),
  );
}
