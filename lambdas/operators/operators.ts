import { edgeCache } from '../../adapters/cloudfront/edge-cache.ts';
import { abuseReportTable } from '../../adapters/dynamodb/abuse-report-table.ts';
import { accountAdmin } from '../../adapters/dynamodb/accounts/account-admin.ts';
import { accountRepository } from '../../adapters/dynamodb/accounts/account-repository.ts';
import { invitationTable } from '../../adapters/dynamodb/accounts/invitation-table.ts';
import { planCheckTable } from '../../adapters/dynamodb/accounts/plan-check-table.ts';
import { domainRoots } from '../../adapters/dynamodb/domains/domain-roots.ts';
import { documentClient, documentItems } from '../../adapters/dynamodb/document-client.ts';
import { ownedProjectRepository } from '../../adapters/dynamodb/projects/owned-project-repository.ts';
import { projectRepository } from '../../adapters/dynamodb/projects/project-repository.ts';
import { purgeRows } from '../../adapters/dynamodb/projects/purge-rows.ts';
import { siteDirectory } from '../../adapters/dynamodb/projects/site-directory.ts';
import { SignUpPolicy } from '../../contract/fields.ts';
import * as invitations from '../../contract/operations/invitations.ts';
import * as contract from '../../contract/operations/operators.ts';
import {
  createInvitation,
  deleteInvitation,
  listInvitations,
  type OperatorInviteDeps,
} from '../../core/operators/invite.ts';
import {
  type ChangePlanDeps,
  listAccounts,
  type ListAccountsDeps,
  setAccountPlan,
} from '../../core/operators/accounts.ts';
import {
  type OperateDeps,
  liftTakedown,
  suspendAccount,
  takeDownProject,
  unsuspendAccount,
} from '../../core/operators/operate.ts';
import { listReports, resolveReports } from '../../core/operators/reports.ts';
import { addresses } from '../../core/projects/addresses/addresses.ts';
import { bind } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { accountClosedMail } from '../../web/mail/account-mails.ts';
import { suspendedMail, takenDownMail } from '../../web/mail/moderation-mails.ts';
import { invitationMail } from '../../web/mail/sign-in-mail.ts';
import { accountMail } from '../shared/account-mail.ts';
import { allowedEmailDomains, deployedOperators } from '../shared/deployed-limits.ts';
import { lazy } from '../shared/lazy.ts';
import { logDeferredCleanup, logger } from '../shared/logger.ts';
import { setting } from '../shared/settings.ts';

const services = lazy((): OperateDeps & ChangePlanDeps & ListAccountsDeps & OperatorInviteDeps => {
  const client = documentClient();
  const tables = {
    projects: setting('PROJECTS_TABLE'),
    sites: setting('SITES_TABLE'),
    accounts: setting('ACCOUNTS_TABLE'),
  };
  return {
    operators: deployedOperators(),
    reports: abuseReportTable(client, tables.projects),
    accounts: accountRepository(client, tables.accounts),
    admin: accountAdmin(client, tables.accounts),
    checks: planCheckTable(client, tables.accounts),
    addresses: addresses(setting('BASE_URL'), setting('SITES_DOMAIN')),
    projects: projectRepository(client, tables),
    owned: ownedProjectRepository(client, tables),
    sites: siteDirectory(documentItems(client), tables.sites),
    roots: domainRoots(documentItems(client), tables),
    edge: edgeCache(setting('SITES_TENANT_ID'), purgeRows(client, tables.projects)),
    invitations: invitationTable(client, tables.accounts),
    signUpPolicy: SignUpPolicy.parse(setting('SIGN_UP_POLICY')),
    allowedEmailDomains: allowedEmailDomains(),
    baseUrl: setting('BASE_URL'),
    mailInvitation,
    moderationMailer: {
      sendTakenDown: (email, mail) => accountMail().notify(email, takenDownMail, mail),
      sendSuspended: (email, mail) =>
        accountMail().notify(email, suspendedMail, {
          ...mail,
          contact: setting('SECURITY_CONTACT'),
        }),
      sendClosed: (email, closed) => accountMail().notify(email, accountClosedMail, closed),
    },
    onFailure: logDeferredCleanup,
    onAction: (action) => logger.warn('operator action', action),
    now: () => new Date(),
  };
});

async function mailInvitation(email: string, url: string): Promise<boolean> {
  await accountMail().notify(email, invitationMail, { email, url });
  return setting('MAIL_FROM') !== '';
}

export const bindings = [
  bind(contract.listReports, (caller, input) => listReports(services(), caller, input)),
  bind(contract.resolveReports, (caller, input) => resolveReports(services(), caller, input)),
  bind(contract.takeDownProject, (caller, input) => takeDownProject(services(), caller, input)),
  bind(contract.liftTakedown, (caller, input) => liftTakedown(services(), caller, input)),
  bind(contract.listAccounts, (caller, input) => listAccounts(services(), caller, input)),
  bind(contract.setAccountPlan, (caller, input) => setAccountPlan(services(), caller, input)),
  bind(contract.suspendAccount, (caller, input) => suspendAccount(services(), caller, input)),
  bind(contract.unsuspendAccount, (caller, input) => unsuspendAccount(services(), caller, input)),
  bind(invitations.listInvitations, (caller) => listInvitations(services(), caller)),
  bind(invitations.createInvitation, (caller, input) =>
    createInvitation(services(), caller, input),
  ),
  bind(invitations.deleteInvitation, (caller, input) =>
    deleteInvitation(services(), caller, input),
  ),
];

/** `/v1/operator/*`: reports, takedowns, accounts, suspension and invitations, for the accounts in the setting `operators`. */
export const handler = endpoint(bindings);
