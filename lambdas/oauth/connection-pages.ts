import { oauthPaths } from '../../contract/oauth/oauth-paths.ts';
import {
  deleteOtherSessions,
  deleteSession,
  listSessions,
} from '../../core/accounts/sessions/manage-sessions.ts';
import { endWebSession, openWebSession } from '../../core/accounts/sessions/web-session.ts';
import { CodedError } from '../../core/errors.ts';
import { countRequest } from '../../core/limits/counters.ts';
import { deleteConnection, listConnections } from '../../core/oauth/authorization/connections.ts';
import {
  connectionsCodePage,
  connectionsPage,
  connectionsSignInPage,
} from '../../web/pages/oauth/connections-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { oauthPageResponse, pageBindings } from './oauth-pages.ts';
import { authorizeServices } from './oauth-services.ts';
import { type SignedInUser, findSignedInUser } from '../accounts/signed-in-user.ts';
import type { Binding } from '../http/bind.ts';
import { formFields } from '../http/request-body.ts';
import { seeOther } from '../http/page-response.ts';
import { endedSessionCookies, sessionCookies } from '../http/session-cookie.ts';
import { signInStep } from '../accounts/sign-in-steps.ts';

/** The page of connected apps and signed-in browsers, and the forms on it. */
export const connectionPageBindings: Binding[] = pageBindings(
  oauthPaths.connections,
  showPage,
  submitForm,
);

async function showPage(request: ApiRequest) {
  const user = await findSignedInUser(authorizeServices(), request);
  if (user === undefined) return emailPageResponse(request, 200);
  const { account, session } = user;
  const caller = { ...request.caller, account, session };
  await countRequest(authorizeServices(), caller);
  const [{ connections }, { sessions }] = await Promise.all([
    listConnections(authorizeServices(), caller),
    listSessions(authorizeServices(), caller),
  ]);
  const { brand } = authorizeServices();
  const page = connectionsPage({ brand, email: account.email, connections, sessions });
  return oauthPageResponse(request, { status: 200, page });
}

async function submitForm(request: ApiRequest) {
  const form = formFields(request);
  if (form.has('email')) return signIn(request);
  const user = await findSignedInUser(authorizeServices(), request);
  if (user === undefined) return emailPageResponse(request, 401);
  if (form.get('account') === 'other') {
    await endWebSession(authorizeServices(), user.token);
    return seeOther(request, oauthPaths.connections, endedSessionCookies);
  }
  await revokeAccess(request, user, form);
  return seeOther(request, oauthPaths.connections);
}

/** Disconnects an app or ends sessions. No error if that has happened already. */
async function revokeAccess(
  request: ApiRequest,
  { account, session }: SignedInUser,
  form: URLSearchParams,
) {
  const services = authorizeServices();
  const caller = { ...request.caller, account, session };
  await countRequest(services, caller);
  const connectionId = form.get('disconnect');
  const sessionId = form.get('sign-out');
  try {
    if (connectionId !== null) await deleteConnection(services, caller, { connectionId });
    else if (sessionId === 'others') await deleteOtherSessions(services, caller);
    else if (sessionId !== null) await deleteSession(services, caller, { sessionId });
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'NOT_FOUND') throw error;
  }
}

async function signIn(request: ApiRequest) {
  const services = authorizeServices();
  const step = await signInStep(services, request, (proof) =>
    openWebSession(services, request.caller, proof),
  );
  switch (step.kind) {
    case 'address':
      return emailPageResponse(request, step.status, step);
    case 'code': {
      const page = connectionsCodePage({ brand: services.brand, ...step.form });
      return oauthPageResponse(request, { status: step.status, page }, step.cookies);
    }
    case 'done':
      return seeOther(request, oauthPaths.connections, sessionCookies(step.value));
  }
}

function emailPageResponse(
  request: ApiRequest,
  status: number,
  { email, error }: { email?: string; error?: string } = {},
) {
  const { brand } = authorizeServices();
  return oauthPageResponse(request, {
    status,
    page: connectionsSignInPage({ brand, email, error }),
  });
}
