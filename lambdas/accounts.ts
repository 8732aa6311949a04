import { accountRepository } from '../adapters/account-repository.ts';
import { codeTable } from '../adapters/code-table.ts';
import { counterTable } from '../adapters/counter-table.ts';
import { documentClient } from '../adapters/dynamodb.ts';
import * as contract from '../contract/operations/accounts.ts';
import { SignUpPolicy } from '../contract/fields.ts';
import { describeSession, describeUser } from '../core/accounts/describe-account.ts';
import { requestCode } from '../core/accounts/request-code.ts';
import { verifyCode } from '../core/accounts/verify-code.ts';
import { bind, bindWithKey } from './runtime/bind.ts';
import { codeMailer } from './runtime/code-mailer.ts';
import { endpoint } from './runtime/endpoint.ts';
import { once } from './runtime/once.ts';
import { deployedPlans } from './runtime/plans.ts';
import { setting } from './runtime/settings.ts';

const services = once(() => {
  const client = documentClient();
  return {
    accounts: accountRepository(client, setting('ACCOUNTS_TABLE')),
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
];

/** `/v1/auth/*` and `/v1/user`: sign in, and what an account is and has. */
export const handler = endpoint(bindings);
