import type { APIGatewayProxyResult } from 'aws-lambda';
import { oauthPaths } from '../../contract/oauth/oauth.ts';
import {
  deleteOtherSessions,
  deleteSession,
  listSessions,
} from '../../core/accounts/sessions/manage-sessions.ts';
import { endSession, openSession } from '../../core/accounts/sessions/web-session.ts';
import { CodedError } from '../../core/errors.ts';
import { countRequest } from '../../core/limits/request-limit.ts';
import { deleteConnection, listConnections } from '../../core/oauth/authorization/connections.ts';
import {
  connectionsCodePage,
  connectionsPage,
  connectionsSignInPage,
} from '../../web/pages/oauth/connections-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { authorizePage } from './authorize-page.ts';
import { authorizeServices } from './authorize-services.ts';
import { forgottenCookies, keptCookies, type Person, personIn } from './authorize-session.ts';
import { refusal } from './authorize-trouble.ts';
import type { Binding } from '../http/bind.ts';
import { requireOwnPage } from '../http/own-pages.ts';
import { formFields } from '../http/plain-form.ts';
import { seeOther } from '../http/see-other.ts';
import { signInStep } from '../accounts/sign-in-steps.ts';

/** The page of connected apps and signed-in browsers, and the forms on it. */
export const connectionPageBindings: Binding[] = [
  connectionRoute('GET', show),
  connectionRoute('POST', take),
];

function connectionRoute(
  method: 'GET' | 'POST',
  serve: (request: ApiRequest) => Promise<APIGatewayProxyResult>,
): Binding {
  return {
    method,
    route: oauthPaths.connections,
    async serve(request) {
      try {
        if (method === 'POST') requireOwnPage(request, authorizeServices().baseUrl);
        return await serve(request);
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        return refusal(request, error);
      }
    },
  };
}

async function show(request: ApiRequest) {
  const person = await personIn(request);
  if (person === undefined) return askAddress(request, 200);
  const { account, session } = person;
  const caller = { ...request.caller, account, session };
  await countRequest(authorizeServices(), caller);
  const [{ connections }, { sessions }] = await Promise.all([
    listConnections(authorizeServices(), caller),
    listSessions(authorizeServices(), caller),
  ]);
  const { brand } = authorizeServices();
  const page = connectionsPage({ brand, email: account.email, connections, sessions });
  return authorizePage(request, { status: 200, page });
}

async function take(request: ApiRequest) {
  const form = formFields(request);
  if (form.has('email')) return signIn(request);
  const person = await personIn(request);
  if (person === undefined) return askAddress(request, 401);
  if (form.get('account') === 'other') {
    await endSession(authorizeServices(), person.token);
    return seeOther(request, oauthPaths.connections, forgottenCookies);
  }
  await takeAway(request, person, form);
  return seeOther(request, oauthPaths.connections);
}

/** One that is gone already is what was asked for. */
async function takeAway(request: ApiRequest, { account, session }: Person, form: URLSearchParams) {
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
    openSession(services, request.caller, proof),
  );
  switch (step.kind) {
    case 'address':
      return askAddress(request, step.status, step);
    case 'code': {
      const page = connectionsCodePage({ brand: services.brand, ...step.asked });
      return authorizePage(request, { status: step.status, page }, step.cookies);
    }
    case 'done':
      return seeOther(request, oauthPaths.connections, keptCookies(step.value));
  }
}

function askAddress(
  request: ApiRequest,
  status: number,
  { email, error }: { email?: string; error?: string } = {},
) {
  const { brand } = authorizeServices();
  return authorizePage(request, { status, page: connectionsSignInPage({ brand, email, error }) });
}
