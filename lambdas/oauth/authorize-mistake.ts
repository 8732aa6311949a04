import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ClientMistake } from '../../core/oauth/authorization/authorization-request.ts';
import { isConnected } from '../../core/oauth/authorization/connections.ts';
import { redirectTarget } from '../../core/oauth/authorization/redirect-target.ts';
import { clientMistakePage } from '../../web/pages/oauth/client-mistake-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { authorizePage } from './authorize-page.ts';
import { authorizeServices } from './authorize-services.ts';
import { personIn } from './authorize-session.ts';
import { seeOther } from '../http/see-other.ts';

/**
 * Tells a client of its mistake by way of the browser, if the person who is signed in has connected
 * it before. Everybody else sees a page of ours, from which they may go on by hand.
 */
export async function answerMistake(
  request: ApiRequest,
  { client, redirectUri, detail, location }: ClientMistake,
): Promise<APIGatewayProxyResult> {
  const services = authorizeServices();
  const person = await personIn(request);
  if (person !== undefined && (await isConnected(services, person.account.id, client.id))) {
    return seeOther(request, location);
  }
  const { brand } = services;
  const target = redirectTarget(redirectUri);
  const page = clientMistakePage({ brand, client, detail, target, location });
  return authorizePage(request, { status: 400, page });
}
