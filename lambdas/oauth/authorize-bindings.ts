import type { APIGatewayProxyResult } from 'aws-lambda';
import { oauthPaths } from '../../contract/oauth/oauth.ts';
import { openSession } from '../../core/accounts/sessions/web-session.ts';
import { CodedError } from '../../core/errors.ts';
import type { AuthorizationRequest } from '../../core/oauth/authorization/authorization-request.ts';
import { readAuthorization } from '../../core/oauth/authorization/authorize.ts';
import { signInCodePage, signInPage } from '../../web/pages/oauth/sign-in-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { askConsent, decide } from './authorize-consent.ts';
import { authorizePage, sameRequest } from './authorize-page.ts';
import { authorizeServices } from './authorize-services.ts';
import { keptCookies, personIn } from './authorize-session.ts';
import { answerMistake } from './authorize-mistake.ts';
import { refusal, trouble } from './authorize-trouble.ts';
import type { Binding } from '../http/bind.ts';
import { requireOwnPage } from '../http/own-pages.ts';
import { formFields } from '../http/plain-form.ts';
import { seeOther } from '../http/see-other.ts';
import { signInStep } from '../accounts/sign-in-steps.ts';

/** What is sent on in a header has to fit into the 10,240 bytes of all headers (quota of API Gateway). */
const maxAddressLength = 6144;

type Serve = (request: ApiRequest, asked: AuthorizationRequest) => Promise<APIGatewayProxyResult>;

/** The two routes of the authorization endpoint: pages for people, and the forms on them. */
export const authorizeBindings: Binding[] = [
  authorizeRoute('GET', show),
  authorizeRoute('POST', take),
];

/** The app's request stands in the address of every page and form, and is judged anew each time. */
function authorizeRoute(method: 'GET' | 'POST', serve: Serve): Binding {
  return {
    method,
    route: oauthPaths.authorize,
    async serve(request) {
      try {
        if (method === 'POST') requireOwnPage(request, authorizeServices().baseUrl);
        if (sameRequest(request).length > maxAddressLength) {
          return trouble(request, 400, 'unreadable', 'The link is too long.');
        }
        const step = await readAuthorization(
          authorizeServices(),
          request.caller,
          request.queryParameters,
        );
        switch (step.kind) {
          case 'refused':
            return trouble(request, 400, step.problem, step.detail);
          case 'client-mistake':
            return await answerMistake(request, step.mistake);
          case 'ask':
            return await serve(request, step.request);
        }
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        return refusal(request, error);
      }
    },
  };
}

async function show(request: ApiRequest, asked: AuthorizationRequest) {
  const person = await personIn(request);
  if (person !== undefined) return askConsent(request, asked, person);
  return authorizePage(request, { status: 200, page: askAddress(asked) });
}

async function take(request: ApiRequest, asked: AuthorizationRequest) {
  const form = formFields(request);
  const decides = form.has('decision') || form.has('account');
  return decides ? decide(request, asked, form) : signIn(request, asked);
}

async function signIn(request: ApiRequest, asked: AuthorizationRequest) {
  const services = authorizeServices();
  const { brand } = services;
  const step = await signInStep(services, request, (proof) =>
    openSession(services, request.caller, proof),
  );
  switch (step.kind) {
    case 'address':
      return authorizePage(request, { status: step.status, page: askAddress(asked, step) });
    case 'code': {
      const page = signInCodePage({ brand, clientName: asked.client.name, ...step.asked });
      return authorizePage(request, { status: step.status, page }, step.cookies);
    }
    case 'done':
      return seeOther(request, sameRequest(request), keptCookies(step.value));
  }
}

function askAddress(
  { client }: AuthorizationRequest,
  more: { email?: string; error?: string } = {},
) {
  const { brand, signUpPolicy } = authorizeServices();
  const signUpOpen = signUpPolicy === 'open';
  const { email, error } = more;
  return signInPage({ brand, clientName: client.name, signUpOpen, email, error });
}
