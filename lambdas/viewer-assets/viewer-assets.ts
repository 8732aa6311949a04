import { fileURLToPath } from 'node:url';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as z from 'zod';
import { answerAsset } from './answer-asset.ts';
import { assetFolder } from './asset-folder.ts';
import { once } from '../shared/once.ts';

/** What we read of a Lambda Function URL event (payload format 2.0); header names are lowercase. */
const UrlEvent = z.object({
  headers: z.record(z.string(), z.string().optional()),
  rawPath: z.string(),
  requestContext: z.object({ http: z.object({ method: z.string() }) }),
});

const folder = once(() => assetFolder(fileURLToPath(new URL('./assets', import.meta.url))));

/** `/_slipway/assets/*`: what viewer pages load, from the folder beside this bundle. */
export async function handler(event: unknown): Promise<APIGatewayProxyStructuredResultV2> {
  const { headers, rawPath, requestContext } = UrlEvent.parse(event);
  return answerAsset(folder(), {
    method: requestContext.http.method,
    path: rawPath,
    acceptEncoding: headers['accept-encoding'] ?? '',
    ifNoneMatch: headers['if-none-match'],
  });
}
