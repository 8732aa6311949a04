import { accountRepository } from '../../adapters/account-repository.ts';
import { codeTable } from '../../adapters/code-table.ts';
import { counterTable } from '../../adapters/counter-table.ts';
import type { documentClient } from '../../adapters/dynamodb.ts';
import { SignUpPolicy } from '../../contract/fields.ts';
import { codeMailer } from './code-mailer.ts';
import { setting } from './settings.ts';

/** What signing a person in by a mailed code needs. */
export function signInServices(client: ReturnType<typeof documentClient>) {
  return {
    accounts: accountRepository(client, setting('ACCOUNTS_TABLE')),
    codes: codeTable(client, setting('CODES_TABLE')),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    mailer: codeMailer(),
    codeSecret: setting('CODE_SECRET'),
    trialDays: Number(setting('TRIAL_DAYS')),
    signUpPolicy: SignUpPolicy.parse(setting('SIGN_UP_POLICY')),
    now: () => new Date(),
  };
}
