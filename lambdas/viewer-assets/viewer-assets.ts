import { fileURLToPath } from 'node:url';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { answerAsset } from './answer-asset.ts';
import { assetFolder } from './asset-folder.ts';
import { lazy } from '../shared/lazy.ts';
import { FunctionUrlEvent, pathOf } from '../visits/edge-request.ts';

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
