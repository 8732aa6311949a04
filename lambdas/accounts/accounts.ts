import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { emailChangeTable } from '../../adapters/dynamodb/accounts/email-change-table.ts';
import { keyTable } from '../../adapters/dynamodb/accounts/key-table.ts';
import { oauthGrantTable } from '../../adapters/dynamodb/oauth/oauth-grant-table.ts';
import { ownerAccessTable } from '../../adapters/dynamodb/projects/owner-access-table.ts';
import { uncachedProjectStores } from '../shared/project-stores.ts';
import { publisherTable } from '../../adapters/dynamodb/accounts/publisher-table.ts';
import { sessionTable } from '../../adapters/dynamodb/accounts/session-table.ts';
import * as contract from '../../contract/operations/accounts.ts';
import * as connectionContract from '../../contract/operations/connections.ts';
import * as emailContract from '../../contract/operations/own-account.ts';
import * as keyContract from '../../contract/operations/keys.ts';
import * as publisherContract from '../../contract/operations/trusted-publishers.ts';
import * as sessionContract from '../../contract/operations/web-session.ts';
import { requestEmailChange } from '../../core/accounts/email-change/request-email-change.ts';
import { verifyEmailChange } from '../../core/accounts/email-change/verify-email-change.ts';
import { closeAccount } from '../../core/accounts/closing/close-account.ts';
import { getMailChoices, updateMailChoices } from '../../core/accounts/mail-choices.ts';
import { getSession, getUser } from '../../core/accounts/describe-account.ts';
import { createKey, deleteKey, listKeys } from '../../core/accounts/keys/manage-keys.ts';
import {
  addTrustedPublisher,
  deleteTrustedPublisher,
  listTrustedPublishers,
} from '../../core/accounts/publishers/manage-publishers.ts';
import {
  deleteOtherSessions,
  deleteSession,
  listSessions,
} from '../../core/accounts/sessions/manage-sessions.ts';
import { requestSignInCode } from '../../core/accounts/sign-in/request-code.ts';
import { verifySignInCode } from '../../core/accounts/sign-in/verify-code.ts';
import {
  endWebSession,
  getWebSession,
  openWebSession,
} from '../../core/accounts/sessions/web-session.ts';
import { deleteConnection, listConnections } from '../../core/oauth/authorization/connections.ts';
import { bind, type Binding } from '../http/bind.ts';
import { appPages } from '../http/app-pages.ts';
import { endpoint } from '../http/endpoint.ts';
import { logDeferredCleanup } from '../shared/logger.ts';
import { lazy } from '../shared/lazy.ts';
import { deployedOperators, deployedPlans } from '../shared/deployed-limits.ts';
import { userServices } from '../shared/plan-facts.ts';
import { endedSessionCookies, sessionCookies } from '../http/session-cookie.ts';
import { setting } from '../shared/settings.ts';
import { accountMailer } from './account-mails.ts';
import { signInServices } from './sign-in-services.ts';
import {
  findDeletion,
  stopDeletion,
  type StopDeletionDeps,
} from '../../core/accounts/closing/stop-deletion.ts';
import { CodedError } from '../../core/errors.ts';
import {
  accountKeptPage,
  keepAccountPage,
  keepNothingPage,
  keepTooOftenPage,
} from '../../web/pages/keep-account-pages.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { type PageResponse, pageResponse } from '../http/page-response.ts';
import { withRetryAfter } from '../http/with-headers.ts';

const services = lazy(() => {
  const client = documentClient();
  const table = setting('ACCOUNTS_TABLE');
  const mailer = accountMailer();
  return {
    ...signInServices(client),
    emailChanges: emailChangeTable(client, setting('CODES_TABLE')),
    emailChangeMailer: mailer,
    closingNotifier: mailer,
    keys: keyTable(client, table),
    publishers: publisherTable(client, table),
    sessions: sessionTable(client, table),
    // Deleting a key changes owner revisions. The edge caches no owner's view, so there is nothing to purge.
    ...uncachedProjectStores(client),
    onFailure: logDeferredCleanup,
    ownerAccess: ownerAccessTable(client, table),
    grants: oauthGrantTable(client, setting('OAUTH_TABLE')),
    keyPrefix: setting('KEY_PREFIX'),
    plans: deployedPlans(),
    operators: deployedOperators(),
  };
});

export const bindings = [
  bind(contract.requestSignInCode, (caller, input) => requestSignInCode(services(), caller, input)),
  bind(contract.verifySignInCode, (caller, input) => verifySignInCode(services(), caller, input)),
  bind(contract.getSession, async (caller) => getSession(services(), caller)),
  bind(contract.getUser, (caller) => getUser(userServices(), caller)),
  bind(emailContract.getMailChoices, async (caller) => getMailChoices(services(), caller)),
  bind(emailContract.updateMailChoices, (caller, input) =>
    updateMailChoices(services(), caller, input),
  ),
  bind(contract.closeAccount, (caller, input) => closeAccount(services(), caller, input)),
  bind(emailContract.requestEmailChange, (caller, input) =>
    requestEmailChange(services(), caller, input),
  ),
  bind(emailContract.verifyEmailChange, (caller, input) =>
    verifyEmailChange(services(), caller, input),
  ),
  bind(sessionContract.openWebSession, async (caller, input, reply) => {
    const opened = await openWebSession(services(), caller, input);
    reply.cookies = sessionCookies(opened);
    return opened;
  }),
  bind(sessionContract.getWebSession, async (caller) => getWebSession(services(), caller)),
  bind(sessionContract.endWebSession, ({ token }, _, reply) => {
    reply.cookies = endedSessionCookies;
    return endWebSession(services(), token);
  }),
  bind(sessionContract.listSessions, (caller) => listSessions(services(), caller)),
  bind(sessionContract.deleteSession, (caller, input) => deleteSession(services(), caller, input)),
  bind(sessionContract.deleteOtherSessions, (caller) => deleteOtherSessions(services(), caller)),
  bind(keyContract.listKeys, (caller) => listKeys(services(), caller)),
  bind(keyContract.createKey, (caller, input) => createKey(services(), caller, input)),
  bind(keyContract.deleteKey, (caller, input) => deleteKey(services(), caller, input)),
  bind(publisherContract.listTrustedPublishers, (caller) =>
    listTrustedPublishers(services(), caller),
  ),
  bind(publisherContract.addTrustedPublisher, (caller, input) =>
    addTrustedPublisher(services(), caller, input),
  ),
  bind(publisherContract.deleteTrustedPublisher, (caller, input) =>
    deleteTrustedPublisher(services(), caller, input),
  ),
  bind(connectionContract.listConnections, (caller) => listConnections(services(), caller)),
  bind(connectionContract.deleteConnection, (caller, input) =>
    deleteConnection(services(), caller, input),
  ),
  ...keepAccountBindings(services),
];

/**
 * `/v1/auth/*`, `/v1/user`, `/v1/account`, `/v1/session`, `/v1/sessions`, `/v1/keys`, `/v1/trusted-publishers`
 * and `/v1/connections`:
 * sign-in, the account and its resources; and the page of the link that stops its deletion.
 */
export const handler = endpoint(bindings, appPages);

/**
 * `/account/keep/<link>`: the page of the link in mails to an account that is being deleted. Plain
 * forms, no script, no sign-in: only somebody who reads the account's mails has the link.
 */
function keepAccountBindings(services: () => StopDeletionDeps): Binding[] {
  return [
    keepRoute('GET', async (request, brand) => {
      const found = await findDeletion(services(), request.caller, linkOf(request));
      return found && { status: 200, page: keepAccountPage({ brand, until: found.until }) };
    }),
    keepRoute('POST', async (request, brand) => {
      const isStopped = await stopDeletion(services(), request.caller, linkOf(request));
      return isStopped ? { status: 200, page: accountKeptPage({ brand }) } : undefined;
    }),
  ];
}

function keepRoute(
  method: 'GET' | 'POST',
  show: (request: ApiRequest, brand: string) => Promise<PageResponse | undefined>,
): Binding {
  return {
    method,
    route: '/account/keep/{link}',
    async serve(request) {
      const brand = setting('BRAND');
      try {
        const shown = await show(request, brand);
        return pageResponse(request, shown ?? { status: 404, page: keepNothingPage({ brand }) });
      } catch (error) {
        if (!(error instanceof CodedError) || error.code !== 'RATE_LIMITED') throw error;
        const page = keepTooOftenPage({ brand, detail: error.message });
        const answer = pageResponse(request, { status: error.status, page });
        return withRetryAfter(answer, Number(error.body['retryAfterSeconds']));
      }
    },
  };
}

function linkOf({ pathParameters }: ApiRequest): string {
  return pathParameters['link'] ?? '';
}
