import { accountRepository } from '../../adapters/dynamodb/accounts/account-repository.ts';
import { codeTable } from '../../adapters/dynamodb/accounts/code-table.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import type { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { knownBrowserTable } from '../../adapters/dynamodb/accounts/session-table.ts';
import { invitationTable } from '../../adapters/dynamodb/accounts/invitation-table.ts';
import { SignUpPolicy, Tier } from '../../contract/fields.ts';
import { codeMailer, signInNotifier } from './sign-in-mails.ts';
import { allowedEmailDomains } from '../shared/deployed-limits.ts';
import { deployedSecret } from '../shared/deployed-secrets.ts';
import { logError } from '../shared/logger.ts';
import { setting } from '../shared/settings.ts';

/** The dependencies for signing a person in by a mailed code. */
export function signInServices(client: ReturnType<typeof documentClient>) {
  return {
    accounts: accountRepository(client, setting('ACCOUNTS_TABLE')),
    codes: codeTable(client, setting('CODES_TABLE')),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    knownBrowsers: knownBrowserTable(client, setting('ACCOUNTS_TABLE')),
    mailer: codeMailer(),
    notices: signInNotifier(),
    codeSecret: deployedSecret('CODE_SECRET_ARN'),
    mailsPerHour: Number(setting('SIGN_IN_MAILS_PER_HOUR')),
    defaultPlan: Tier.parse(setting('DEFAULT_PLAN')),
    trialDays: Number(setting('TRIAL_DAYS')),
    signUpPolicy: SignUpPolicy.parse(setting('SIGN_UP_POLICY')),
    allowedEmailDomains: allowedEmailDomains(),
    invitations: invitationTable(client, setting('ACCOUNTS_TABLE')),
    onFailure: (item: unknown, error: unknown) =>
      logError('sign-in notice not sent', error, { item }),
    now: () => new Date(),
  };
}
