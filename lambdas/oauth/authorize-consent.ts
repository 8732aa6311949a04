import { daySeconds } from '../../contract/limits.ts';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { endWebSession } from '../../core/accounts/sessions/web-session.ts';
import { countRequest } from '../../core/limits/counters.ts';
import type { AuthorizationRequest } from '../../core/oauth/authorization/authorization-request.ts';
import { allow, deny } from '../../core/oauth/authorization/authorize.ts';
import { consentProof, isConsentProof } from '../../core/oauth/authorization/consent-proof.ts';
import { redirectTarget } from '../../core/oauth/clients/redirect-uri.ts';
import { refreshSeconds } from '../../core/oauth/tokens/tokens.ts';
import { authorizationProblemPage } from '../../web/pages/oauth/authorization-problem-page.ts';
import { consentPage } from '../../web/pages/oauth/consent-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { authorizationAddress, oauthPageResponse } from './oauth-pages.ts';
import { authorizeServices } from './oauth-services.ts';
import { endedSessionCookies } from '../http/session-cookie.ts';
import { type SignedInUser, findSignedInUser } from '../accounts/signed-in-user.ts';
import { seeOther } from '../http/page-response.ts';

/** The page on which a signed-in person allows or denies the app's request. */
export function showConsentPage(
  request: ApiRequest,
  authorization: AuthorizationRequest,
  { account, tokenHash }: SignedInUser,
): APIGatewayProxyResult {
  const { brand, accessSecret, now } = authorizeServices();
  const context = { sessionHash: tokenHash, query: request.queryParameters };
  const page = consentPage({
    brand,
    client: authorization.client,
    scopes: authorization.scopes,
    target: redirectTarget(authorization.redirectUri),
    email: account.email,
    proof: consentProof(accessSecret, context, now()),
    unusedDays: refreshSeconds / daySeconds,
  });
  return oauthPageResponse(request, { status: 200, page });
}

/** Carries out the decision on the consent page, if the form belongs to this session and request. */
export async function submitDecision(
  request: ApiRequest,
  authorization: AuthorizationRequest,
  form: URLSearchParams,
): Promise<APIGatewayProxyResult> {
  const services = authorizeServices();
  const user = await findSignedInUser(authorizeServices(), request);
  if (user === undefined || !hasConsentProof(user, request, form)) return restartPage(request);
  const { account, token } = user;
  await countRequest(services, { ...request.caller, account });
  if (form.get('account') === 'other') {
    await endWebSession(services, token);
    return seeOther(request, authorizationAddress(request), endedSessionCookies);
  }
  const decision = form.get('decision');
  if (decision === 'allow') {
    return seeOther(request, await allow(services, account, authorization));
  }
  if (decision === 'deny') return seeOther(request, deny(services, authorization));
  return restartPage(request);
}

function hasConsentProof(
  { tokenHash }: SignedInUser,
  request: ApiRequest,
  form: URLSearchParams,
): boolean {
  const { accessSecret, now } = authorizeServices();
  const context = { sessionHash: tokenHash, query: request.queryParameters };
  return isConsentProof(accessSecret, form.get('proof') ?? '', context, now());
}

function restartPage(request: ApiRequest): APIGatewayProxyResult {
  const { brand } = authorizeServices();
  const page = authorizationProblemPage({ brand, kind: 'begin-again' });
  return oauthPageResponse(request, { status: 403, page });
}
