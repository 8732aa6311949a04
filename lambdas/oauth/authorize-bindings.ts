import type { APIGatewayProxyResult } from 'aws-lambda';
import { oauthPaths } from '../../contract/oauth/oauth-paths.ts';
import { endWebSession, openWebSession } from '../../core/accounts/sessions/web-session.ts';
import type {
  AuthorizationRequest,
  ClientMistake,
} from '../../core/oauth/authorization/authorization-request.ts';
import { allow, deny, readAuthorization } from '../../core/oauth/authorization/authorize.ts';
import { signInCodePage, signInPage } from '../../web/pages/oauth/sign-in-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import {
  authorizationAddress,
  oauthPageResponse,
  pageBindings,
  problemPageResponse,
} from './oauth-pages.ts';
import { authorizeServices } from './oauth-services.ts';
import { findSignedInUser, type SignedInUser } from '../accounts/signed-in-user.ts';
import type { Binding } from '../http/bind.ts';
import { formFields } from '../http/request-body.ts';
import { seeOther } from '../http/page-response.ts';
import { endedSessionCookies, sessionCookies } from '../http/session-cookie.ts';
import { signInStep } from '../accounts/sign-in-steps.ts';
import { isConnected } from '../../core/oauth/authorization/connections.ts';
import { redirectTarget } from '../../core/oauth/clients/redirect-uri.ts';
import { clientMistakePage } from '../../web/pages/oauth/client-mistake-page.ts';
import { daySeconds } from '../../contract/limits.ts';
import { countRequest } from '../../core/limits/counters.ts';
import { consentProof, isConsentProof } from '../../core/oauth/authorization/consent-proof.ts';
import { refreshSeconds } from '../../core/oauth/tokens/tokens.ts';
import { authorizationProblemPage } from '../../web/pages/oauth/authorization-problem-page.ts';
import { consentPage } from '../../web/pages/oauth/consent-page.ts';

/** The address is repeated in a Location header, and all headers together may have 10,240 bytes (API Gateway quota). */
const maxAddressLength = 6144;

type AuthorizationHandler = (
  request: ApiRequest,
  authorization: AuthorizationRequest,
) => Promise<APIGatewayProxyResult>;

/** The routes of the authorization endpoint: its pages, and the forms on them. */
export const authorizeBindings: Binding[] = pageBindings(
  oauthPaths.authorize,
  withAuthorization(showPage),
  withAuthorization(submitForm),
);

/** Every page and form has the app's request in its address, which is checked again each time. */
function withAuthorization(serve: AuthorizationHandler) {
  return async (request: ApiRequest): Promise<APIGatewayProxyResult> => {
    if (authorizationAddress(request).length > maxAddressLength) {
      return problemPageResponse(request, 400, 'unreadable', 'The link is too long.');
    }
    const { caller, queryParameters } = request;
    const step = await readAuthorization(authorizeServices(), caller, queryParameters);
    switch (step.kind) {
      case 'refused':
        return problemPageResponse(request, 400, step.problem, step.detail);
      case 'invalid-request':
        return respondToMistake(request, step.mistake);
      case 'valid':
        return serve(request, step.request);
    }
  };
}

async function showPage(request: ApiRequest, authorization: AuthorizationRequest) {
  const user = await findSignedInUser(authorizeServices(), request);
  if (user !== undefined) return showConsentPage(request, authorization, user);
  return oauthPageResponse(request, { status: 200, page: emailPage(authorization) });
}

async function submitForm(request: ApiRequest, authorization: AuthorizationRequest) {
  const form = formFields(request);
  const decides = form.has('decision') || form.has('account');
  return decides ? submitDecision(request, authorization, form) : signIn(request, authorization);
}

async function signIn(request: ApiRequest, authorization: AuthorizationRequest) {
  const services = authorizeServices();
  const { brand } = services;
  const step = await signInStep(services, request, (proof) =>
    openWebSession(services, request.caller, proof),
  );
  switch (step.kind) {
    case 'address':
      return oauthPageResponse(request, {
        status: step.status,
        page: emailPage(authorization, step),
      });
    case 'code': {
      const page = signInCodePage({
        brand,
        clientName: authorization.client.name,
        target: redirectTarget(authorization.redirectUri),
        ...step.form,
      });
      return oauthPageResponse(request, { status: step.status, page }, step.cookies);
    }
    case 'done':
      return seeOther(request, authorizationAddress(request), sessionCookies(step.value));
  }
}

function emailPage(
  { client, redirectUri }: AuthorizationRequest,
  more: { email?: string; error?: string } = {},
) {
  const { brand, signUpPolicy } = authorizeServices();
  const signUpOpen = signUpPolicy === 'open';
  const { email, error } = more;
  const target = redirectTarget(redirectUri);
  return signInPage({ brand, clientName: client.name, target, signUpOpen, email, error });
}

/**
 * Redirects an error to the client, if the signed-in person has connected
 * it before. Everybody else sees a page with a link to the client.
 */
export async function respondToMistake(
  request: ApiRequest,
  { client, redirectUri, detail, location }: ClientMistake,
): Promise<APIGatewayProxyResult> {
  const services = authorizeServices();
  const user = await findSignedInUser(authorizeServices(), request);
  if (user !== undefined && (await isConnected(services, user.account.id, client.id))) {
    return seeOther(request, location);
  }
  const { brand } = services;
  const target = redirectTarget(redirectUri);
  const page = clientMistakePage({ brand, client, detail, target, location });
  return oauthPageResponse(request, { status: 400, page });
}

/** The page on which a signed-in person allows or denies the app's request. */
function showConsentPage(
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
async function submitDecision(
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
    return seeOther(request, await allow(services, user, authorization));
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
