import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { emailChangeTable } from '../../adapters/dynamodb/accounts/email-change-table.ts';
import { keyTable } from '../../adapters/dynamodb/accounts/key-table.ts';
import { oauthGrantTable } from '../../adapters/dynamodb/oauth/oauth-grant-table.ts';
import { ownerAccessTable } from '../../adapters/dynamodb/projects/owner-access-table.ts';
import { uncachedProjectStores } from '../shared/project-stores.ts';
import { sessionTable } from '../../adapters/dynamodb/accounts/session-table.ts';
import * as contract from '../../contract/operations/accounts.ts';
import * as connectionContract from '../../contract/operations/connections.ts';
import * as emailContract from '../../contract/operations/own-account.ts';
import * as keyContract from '../../contract/operations/keys.ts';
import * as sessionContract from '../../contract/operations/web-session.ts';
import { requestEmailChange } from '../../core/accounts/email-change/request-email-change.ts';
import { verifyEmailChange } from '../../core/accounts/email-change/verify-email-change.ts';
import { closeAccount } from '../../core/accounts/closing/close-account.ts';
import { describeSession, describeUser } from '../../core/accounts/describe-account.ts';
import { createKey, deleteKey, listKeys } from '../../core/accounts/keys/manage-keys.ts';
import {
  deleteOtherSessions,
  deleteSession,
  listSessions,
} from '../../core/accounts/sessions/manage-sessions.ts';
import { requestCode } from '../../core/accounts/sign-in/request-code.ts';
import { verifyCode } from '../../core/accounts/sign-in/verify-code.ts';
import {
  describeWebSession,
  endSession,
  openSession,
} from '../../core/accounts/sessions/web-session.ts';
import { deleteConnection, listConnections } from '../../core/oauth/authorization/connections.ts';
import { bind, bindKeyCheck, bindWithKey } from '../http/bind.ts';
import { bindSessionChange, bindWithSession } from '../http/bind-session.ts';
import { appPages } from '../http/app-pages.ts';
import { endpoint } from '../http/endpoint.ts';
import { logDeferredCleanup } from '../shared/logger.ts';
import { lazy } from '../shared/lazy.ts';
import { deployedOperators, deployedPlans } from '../shared/deployed-limits.ts';
import { userServices } from '../shared/plan-facts.ts';
import { endedSessionCookies, sessionCookies } from '../http/session-cookie.ts';
import { setting } from '../shared/settings.ts';
import { accountMailer } from './account-mails.ts';
import { keepAccountBindings } from './keep-account.ts';
import { signInServices } from './sign-in-services.ts';

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
    sessions: sessionTable(client, table),
    ...ownerRevisionServices(client),
    ownerAccess: ownerAccessTable(client, table),
    grants: oauthGrantTable(client, setting('OAUTH_TABLE')),
    keyPrefix: setting('KEY_PREFIX'),
    plans: deployedPlans(),
    operators: deployedOperators(),
  };
});

/**
 * Changes owner revisions when a key is deleted. The edge caches no owner's view, so there is
 * nothing to purge.
 */
function ownerRevisionServices(client: ReturnType<typeof documentClient>) {
  return { ...uncachedProjectStores(client), onFailure: logDeferredCleanup };
}

export const bindings = [
  bind(contract.requestCode, { run: (caller, input) => requestCode(services(), caller, input) }),
  bind(contract.verifyCode, { run: (caller, input) => verifyCode(services(), caller, input) }),
  bindKeyCheck(contract.getSession, {
    run: async (caller) => describeSession(services(), caller),
  }),
  bindWithKey(contract.getUser, { run: (caller) => describeUser(userServices(), caller) }),
  bindWithSession(contract.closeAccount, {
    run: (caller, input) => closeAccount(services(), caller, input),
  }),
  bindWithSession(emailContract.requestEmailChange, {
    run: (caller, input) => requestEmailChange(services(), caller, input),
  }),
  bindWithSession(emailContract.verifyEmailChange, {
    run: (caller, input) => verifyEmailChange(services(), caller, input),
  }),
  bindSessionChange(sessionContract.openSession, {
    async run(caller, input) {
      const opened = await openSession(services(), caller, input);
      return { output: opened, cookies: sessionCookies(opened) };
    },
  }),
  bindWithSession(sessionContract.getWebSession, {
    run: async (caller) => describeWebSession(services(), caller),
  }),
  bindSessionChange(sessionContract.endSession, {
    run: async ({ token }) => ({
      output: await endSession(services(), token),
      cookies: endedSessionCookies,
    }),
  }),
  bindWithSession(sessionContract.listSessions, {
    run: (caller) => listSessions(services(), caller),
  }),
  bindWithSession(sessionContract.deleteSession, {
    run: (caller, input) => deleteSession(services(), caller, input),
  }),
  bindWithSession(sessionContract.deleteOtherSessions, {
    run: (caller) => deleteOtherSessions(services(), caller),
  }),
  bindWithSession(keyContract.listKeys, { run: (caller) => listKeys(services(), caller) }),
  bindWithSession(keyContract.createKey, {
    run: (caller, input) => createKey(services(), caller, input),
  }),
  bindWithSession(keyContract.deleteKey, {
    run: (caller, input) => deleteKey(services(), caller, input),
  }),
  bindWithSession(connectionContract.listConnections, {
    run: (caller) => listConnections(services(), caller),
  }),
  bindWithSession(connectionContract.deleteConnection, {
    run: (caller, input) => deleteConnection(services(), caller, input),
  }),
  ...keepAccountBindings(services),
];

/**
 * `/v1/auth/*`, `/v1/user`, `/v1/account`, `/v1/session`, `/v1/sessions`, `/v1/keys` and `/v1/connections`:
 * sign-in, the account and its resources; and the page of the link that stops its deletion.
 */
export const handler = endpoint(bindings, appPages);
