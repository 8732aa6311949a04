import type { APIGatewayProxyResult } from 'aws-lambda';
import { endSession } from '../../core/accounts/sessions/web-session.ts';
import { countRequest } from '../../core/limits/request-limit.ts';
import type { AuthorizationRequest } from '../../core/oauth/authorization/authorization-request.ts';
import { allow, deny } from '../../core/oauth/authorization/authorize.ts';
import { consentProof, isConsentProof } from '../../core/oauth/authorization/consent-proof.ts';
import { redirectTarget } from '../../core/oauth/authorization/redirect-target.ts';
import { refreshSeconds } from '../../core/oauth/tokens/tokens.ts';
import { authorizationProblemPage } from '../../web/pages/oauth/authorization-problem-page.ts';
import { consentPage } from '../../web/pages/oauth/consent-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { authorizePage, sameRequest } from './authorize-page.ts';
import { authorizeServices } from './authorize-services.ts';
import { forgottenCookies, type Person, personIn } from './authorize-session.ts';
import { seeOther } from '../http/see-other.ts';

/** Asks whoever is signed in whether the app may act for them. */
export function askConsent(
  request: ApiRequest,
  asked: AuthorizationRequest,
  { account, tokenHash }: Person,
): APIGatewayProxyResult {
  const { brand, accessSecret, now } = authorizeServices();
  const shown = { sessionHash: tokenHash, query: request.queryParameters };
  const page = consentPage({
    brand,
    client: asked.client,
    scopes: asked.scopes,
    target: redirectTarget(asked.redirectUri),
    email: account.email,
    proof: consentProof(accessSecret, shown, now()),
    unusedDays: refreshSeconds / 86_400,
  });
  return authorizePage(request, { status: 200, page });
}

/** Does what a person has decided on the consent page, if the form is of this session and request. */
export async function decide(
  request: ApiRequest,
  asked: AuthorizationRequest,
  form: URLSearchParams,
): Promise<APIGatewayProxyResult> {
  const services = authorizeServices();
  const person = await personIn(request);
  if (person === undefined || !isShownTo(person, request, form)) return beginAgain(request);
  const { account, token } = person;
  await countRequest(services, { ...request.caller, account });
  if (form.get('account') === 'other') {
    await endSession(services, token);
    return seeOther(request, sameRequest(request), forgottenCookies);
  }
  const decision = form.get('decision');
  if (decision === 'allow') {
    return seeOther(request, await allow(services, account, asked));
  }
  if (decision === 'deny') return seeOther(request, deny(services, asked));
  return beginAgain(request);
}

function isShownTo({ tokenHash }: Person, request: ApiRequest, form: URLSearchParams): boolean {
  const { accessSecret, now } = authorizeServices();
  const shown = { sessionHash: tokenHash, query: request.queryParameters };
  return isConsentProof(accessSecret, form.get('proof') ?? '', shown, now());
}

function beginAgain(request: ApiRequest): APIGatewayProxyResult {
  const { brand } = authorizeServices();
  const page = authorizationProblemPage({ brand, kind: 'begin-again' });
  return authorizePage(request, { status: 403, page });
}
