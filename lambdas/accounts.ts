import { accountRepository } from '../adapters/account-repository.ts';
import { codeTable } from '../adapters/code-table.ts';
import { counterTable } from '../adapters/counter-table.ts';
import { documentClient } from '../adapters/dynamodb.ts';
import { keyTable } from '../adapters/key-table.ts';
import { sessionTable } from '../adapters/session-table.ts';
import * as contract from '../contract/operations/accounts.ts';
import * as keyContract from '../contract/operations/keys.ts';
import * as sessionContract from '../contract/operations/web-session.ts';
import { SignUpPolicy } from '../contract/fields.ts';
import { describeSession, describeUser } from '../core/accounts/describe-account.ts';
import { createKey, deleteKey, listKeys } from '../core/accounts/manage-keys.ts';
import { requestCode } from '../core/accounts/request-code.ts';
import { verifyCode } from '../core/accounts/verify-code.ts';
import { describeWebSession, endSession, openSession } from '../core/accounts/web-session.ts';
import { bind, bindWithKey } from './runtime/bind.ts';
import { bindSessionChange, bindWithSession } from './runtime/bind-session.ts';
import { codeMailer } from './runtime/code-mailer.ts';
import { endpoint } from './runtime/endpoint.ts';
import { once } from './runtime/once.ts';
import { deployedPlans } from './runtime/plans.ts';
import { endedSessionCookie, sessionCookie } from './runtime/session-cookie.ts';
import { setting } from './runtime/settings.ts';

const services = once(() => {
  const client = documentClient();
  const table = setting('ACCOUNTS_TABLE');
  return {
    accounts: accountRepository(client, table),
    keys: keyTable(client, table),
    sessions: sessionTable(client, table),
    codes: codeTable(client, setting('CODES_TABLE')),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    mailer: codeMailer(),
    codeSecret: setting('CODE_SECRET'),
    keyPrefix: setting('KEY_PREFIX'),
    trialDays: Number(setting('TRIAL_DAYS')),
    signUpPolicy: SignUpPolicy.parse(setting('SIGN_UP_POLICY')),
    plans: deployedPlans(),
    now: () => new Date(),
  };
});

export const bindings = [
  bind(contract.requestCode, { run: (caller, input) => requestCode(services(), caller, input) }),
  bind(contract.verifyCode, { run: (caller, input) => verifyCode(services(), caller, input) }),
  bindWithKey(contract.getSession, {
    run: async (caller) => describeSession(services(), caller),
    renewsKey: false,
  }),
  bindWithKey(contract.getUser, { run: async (caller) => describeUser(services(), caller) }),
  bindSessionChange(sessionContract.openSession, {
    async run(caller, input) {
      const { token, ...output } = await openSession(services(), caller, input);
      return { output, cookie: sessionCookie(token) };
    },
  }),
  bindWithSession(sessionContract.getWebSession, {
    run: async (caller) => describeWebSession(services(), caller),
  }),
  bindSessionChange(sessionContract.endSession, {
    run: async ({ token }) => ({
      output: await endSession(services(), token),
      cookie: endedSessionCookie,
    }),
  }),
  bindWithSession(keyContract.listKeys, { run: (caller) => listKeys(services(), caller) }),
  bindWithSession(keyContract.createKey, {
    run: (caller, input) => createKey(services(), caller, input),
  }),
  bindWithSession(keyContract.deleteKey, {
    run: (caller, input) => deleteKey(services(), caller, input),
  }),
];

/** `/v1/auth/*`, `/v1/user`, `/v1/session` and `/v1/keys`: sign in, and what an account is and has. */
export const handler = endpoint(bindings);
