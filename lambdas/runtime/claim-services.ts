import { accountRepository } from '../../adapters/account-repository.ts';
import { codeTable } from '../../adapters/code-table.ts';
import { counterTable } from '../../adapters/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb.ts';
import { SignUpPolicy } from '../../contract/fields.ts';
import { addresses } from '../../core/projects/addresses.ts';
import { codeMailer } from './code-mailer.ts';
import { once } from './once.ts';
import { projectStores } from './project-stores.ts';
import { deployedPlans } from './plans.ts';
import { setting } from './settings.ts';

/** What signing in and keeping a project on the claim pages needs. */
export const claimServices = once(() => {
  const client = documentClient();
  return {
    ...projectStores(client),
    brand: setting('BRAND'),
    accounts: accountRepository(client, setting('ACCOUNTS_TABLE')),
    codes: codeTable(client, setting('CODES_TABLE')),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    mailer: codeMailer(),
    codeSecret: setting('CODE_SECRET'),
    trialDays: Number(setting('TRIAL_DAYS')),
    signUpPolicy: SignUpPolicy.parse(setting('SIGN_UP_POLICY')),
    addresses: addresses(setting('BASE_URL'), setting('SITES_DOMAIN')),
    plans: deployedPlans(),
    now: () => new Date(),
  };
});
