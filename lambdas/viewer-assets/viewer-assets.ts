import { fileURLToPath } from 'node:url';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { type AssetFolder, assetFolder } from './asset-folder.ts';
import { lazy } from '../shared/lazy.ts';
import { FunctionUrlEvent, pathOf } from '../visits/edge-request.ts';
import { commonHeaders } from '../../contract/common-headers.ts';
import { evaluatePreconditions } from '../../core/visit/protocol/conditional-request.ts';

const folder = lazy(() => assetFolder(fileURLToPath(new URL('./assets', import.meta.url))));

/** `/_slipway/assets/*`: the files that viewer pages load, from the folder beside this bundle. */
export async function handler(event: unknown): Promise<APIGatewayProxyStructuredResultV2> {
  const { headers, requestContext } = FunctionUrlEvent.parse(event);
  return answerAsset(folder(), {
    method: requestContext.http.method,
    path: pathOf(headers),
    acceptEncoding: headers['accept-encoding'] ?? '',
    ifNoneMatch: headers['if-none-match'],
  });
}

interface AssetRequest {
  method: string;
  /** As sent. */
  path: string;
  acceptEncoding: string;
  ifNoneMatch: string | undefined;
}

const prefix = '/_slipway/assets/';

/**
 * The policy for scripts of workers: a worker follows the policy of its own script, not that of the
 * page that started it.
 */
const policy = "default-src 'none'; connect-src 'self'; script-src 'wasm-unsafe-eval'";

/**
 * The policy for a page that a viewer shows in a frame without an origin: our scripts and inline
 * styles. The page's own policy names the scripts. It does not restrict `frame-ancestors`, because
 * the viewer itself may be in frames of other sites.
 */
const framePolicy =
  "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";

/**
 * A file of the folder, which caches may keep for ever because its name contains its hash; anything
 * else is a 404 that no cache stores.
 */
export function answerAsset(
  folder: AssetFolder,
  { method, path, acceptEncoding, ifNoneMatch }: AssetRequest,
): APIGatewayProxyStructuredResultV2 {
  const name = path.startsWith(prefix) ? path.slice(prefix.length) : '';
  const asset = folder(name, acceptEncoding);
  if (asset === undefined) return notFound(method);
  const { bytes, contentType, encoding, etag } = asset;
  const headers = {
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': contentType.startsWith('text/html') ? framePolicy : policy,
    'cross-origin-resource-policy': 'same-origin',
    ...commonHeaders,
    vary: 'accept-encoding',
    etag,
  };
  const current = { etag, lastModified: new Date(0) };
  if (evaluatePreconditions({ ifNoneMatch }, current) === 'not-modified') {
    return { statusCode: 304, headers };
  }
  const sent = {
    statusCode: 200,
    headers: {
      ...headers,
      'content-type': contentType,
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
  };
  if (method === 'HEAD') return sent;
  return { ...sent, body: bytes.toString('base64'), isBase64Encoded: true };
}

function notFound(method: string): APIGatewayProxyStructuredResultV2 {
  const text = 'There is no such file.\n';
  return {
    statusCode: 404,
    headers: {
      'cache-control': 'no-store',
      'content-type': 'text/plain; charset=utf-8',
      ...commonHeaders,
    },
    ...(method === 'HEAD' ? {} : { body: text }),
  };
}
