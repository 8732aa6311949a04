import type { SlipwayFunction } from '../functions/function.ts';
import type { FunctionFactory } from '../functions/function-factory.ts';
import type { RoutedFunction } from './routes.ts';
import {
  analytics,
  projects,
  shareLinks,
  tempProjects,
  versions,
  workspaces,
} from './project-functions.ts';
import type { Mail } from '../workers/mail.ts';
import type { HitQueue, UploadQueue } from '../workers/queues.ts';
import type { VisitorDistribution } from '../sites/visitor-distribution.ts';

/** Resources of the service stack that functions behind the REST API use. */
export interface ApiFunctionResources {
  visitors: VisitorDistribution;
  uploads: UploadQueue;
  hits: HitQueue;
  mail: Mail | undefined;
}

/** The functions behind the REST API, each with its permissions. */
export function apiFunctions(
  factory: FunctionFactory,
  resources: ApiFunctionResources,
): Record<RoutedFunction, SlipwayFunction> {
  return {
    system: system(factory),
    'temp-projects': tempProjects(factory),
    accounts: accounts(factory, resources),
    uploads: uploads(factory),
    'upload-links': uploadLinks(factory, resources),
    projects: projects(factory, resources),
    versions: versions(factory, resources),
    workspaces: workspaces(factory),
    domains: domains(factory, resources),
    'share-links': shareLinks(factory),
    analytics: analytics(factory),
    webhooks: webhooks(factory),
    export: exporting(factory),
    'claim-pages': claimPages(factory, resources),
    oauth: oauth(factory, resources),
    mcp: mcp(factory, resources),
    'visitor-forms': visitorForms(factory, resources),
    operators: operators(factory, resources),
  };
}

function system(factory: FunctionFactory): SlipwayFunction {
  const fn = factory.createApiFunction('system', { timeoutSeconds: 5, memoryMb: 256 });
  factory.setTempUploadLimits(fn);
  factory.setPlans(fn);
  factory.setKeyPrefix(fn);
  factory.setSecurityContact(fn);
  factory.setPolicies(fn);
  return fn;
}

function accounts(factory: FunctionFactory, { mail }: ApiFunctionResources): SlipwayFunction {
  const fn = factory.createApiFunction('accounts', { timeoutSeconds: 15, memoryMb: 512 });
  factory.grantApiKeyCheck(fn);
  factory.grantSignIn(fn, mail);
  factory.setOperators(fn);
  // The account's visits and bytes of this month.
  factory.props.data.tables.grantAnalytics(fn, ['Query']);
  factory.props.data.tables.grantAccounts(fn, ['DeleteItem', 'Query']);
  // Deleting a key also ends the access of owner links that were made with it.
  factory.props.data.tables.grantProjects(fn, ['GetItem', 'PutItem']);
  factory.props.data.tables.grantSites(fn, ['PutItem']);
  factory.props.data.tables.grantOauth(fn, ['DeleteItem', 'Query']);
  return fn;
}

function uploads(factory: FunctionFactory): SlipwayFunction {
  const { tables, content } = factory.props.data;
  const fn = factory.createApiFunction('uploads', { timeoutSeconds: 29, memoryMb: 1024 });
  factory.grantApiKeyCheck(fn);
  factory.setTempUploadLimits(fn);
  tables.grantProjects(fn, ['GetItem', 'PutItem']);
  // A presigned URL has the permissions of the function that signed it.
  content.grantUploads(fn, ['GetObject', 'PutObject', 'ListMultipartUploadParts']);
  content.grantListing(fn);
  return fn;
}

function uploadLinks(
  factory: FunctionFactory,
  { visitors, uploads }: ApiFunctionResources,
): SlipwayFunction {
  const fn = factory.createApiFunction('upload-links', { timeoutSeconds: 29, memoryMb: 1769 });
  factory.grantApiKeyCheck(fn);
  factory.setTempUploadLimits(fn);
  factory.grantProjectChanges(fn, visitors, uploads);
  // A link that a connected app made is valid only while the app is connected.
  factory.props.data.tables.grantOauth(fn, ['GetItem']);
  // A sender is listed only while the file request exists.
  factory.props.data.tables.grantProjects(fn, ['ConditionCheckItem']);
  return fn;
}

function domains(
  factory: FunctionFactory,
  { visitors, uploads, mail }: ApiFunctionResources,
): SlipwayFunction {
  const fn = factory.createApiFunction('domains', { timeoutSeconds: 29, memoryMb: 1024 });
  factory.grantApiKeyCheck(fn);
  factory.grantDomains(fn, visitors, { uploads, mail });
  return fn;
}

function exporting(factory: FunctionFactory): SlipwayFunction {
  const { tables, content } = factory.props.data;
  const fn = factory.createApiFunction('export', { timeoutSeconds: 29, memoryMb: 1769 });
  factory.grantAccessSecret(fn);
  factory.grantApiKeyCheck(fn);
  tables.grantAccounts(fn, ['Query']);
  tables.grantProjects(fn, ['GetItem', 'Query']);
  tables.grantOwnerQuery(fn);
  content.grantObjects(fn, ['GetObject']);
  return fn;
}

function claimPages(factory: FunctionFactory, { mail }: ApiFunctionResources): SlipwayFunction {
  const { tables } = factory.props.data;
  const fn = factory.createApiFunction('claim-pages', { timeoutSeconds: 15, memoryMb: 512 });
  factory.grantSignIn(fn, mail);
  tables.grantCounters(fn, ['GetItem', 'UpdateItem']);
  tables.grantSites(fn, ['UpdateItem']);
  tables.grantProjects(fn, ['GetItem', 'PutItem', 'UpdateItem']);
  return fn;
}

function oauth(factory: FunctionFactory, { mail }: ApiFunctionResources): SlipwayFunction {
  const { tables } = factory.props.data;
  const fn = factory.createApiFunction('oauth', { timeoutSeconds: 29, memoryMb: 512 });
  factory.grantSignIn(fn, mail);
  // Forms of the OAuth pages carry a signed token that binds them to the session (CSRF).
  factory.grantAccessSecret(fn);
  factory.grantAccessTokenCheck(fn);
  factory.setPolicies(fn);
  tables.grantAccounts(fn, ['DeleteItem']);
  tables.grantCounters(fn, ['GetItem', 'UpdateItem']);
  tables.grantOauth(fn, ['PutItem', 'DeleteItem', 'Query']);
  fn.setVariable('CI_ISSUERS', JSON.stringify(factory.props.settings.ciIssuers));
  return fn;
}

function mcp(
  factory: FunctionFactory,
  { visitors, uploads }: ApiFunctionResources,
): SlipwayFunction {
  const { tables } = factory.props.data;
  const fn = factory.createApiFunction('mcp', { timeoutSeconds: 29, memoryMb: 1769 });
  factory.grantApiKeyCheck(fn);
  factory.grantAccessTokenCheck(fn);
  factory.setTempUploadLimits(fn);
  factory.grantProjectChanges(fn, visitors, uploads);
  tables.grantStatistics(fn);
  // A share link is written only while its project exists.
  tables.grantProjects(fn, ['ConditionCheckItem']);
  // Preview links of drafts and earlier versions.
  factory.grantAccessSecret(fn);
  tables.grantSites(fn, ['UpdateItem']);
  return fn;
}

function webhooks(factory: FunctionFactory): SlipwayFunction {
  const { tables } = factory.props.data;
  // A request that waits for events pays for the memory, and for nothing else.
  const fn = factory.createApiFunction('webhooks', { timeoutSeconds: 29, memoryMb: 256 });
  factory.grantApiKeyCheck(fn);
  tables.grantAccounts(fn, ['PutItem']);
  tables.grantProjects(fn, ['GetItem', 'PutItem', 'UpdateItem', 'Query']);
  tables.grantOwnerQuery(fn);
  tables.grantAnalytics(fn, ['Query', 'BatchGetItem']);
  return fn;
}

function visitorForms(
  factory: FunctionFactory,
  { hits, mail }: ApiFunctionResources,
): SlipwayFunction {
  const { tables } = factory.props.data;
  const fn = factory.createApiFunction('visitor-forms', { timeoutSeconds: 10, memoryMb: 1024 });
  factory.grantAccessSecret(fn);
  tables.grantSites(fn, ['GetItem']);
  // The hash of a visitor password is in the project's row.
  // UpdateItem counts an open of a share link, and notes who proved an address. Query: the versions of a feed.
  tables.grantProjects(fn, ['GetItem', 'PutItem', 'UpdateItem', 'Query']);
  tables.grantCounters(fn, ['GetItem', 'UpdateItem']);
  // Codes for visitors; a mail to an address whose account is being deleted has the link that stops it.
  factory.grantMail(fn, mail);
  tables.grantAccounts(fn, ['GetItem']);
  hits.grantSending(fn);
  return fn;
}

function operators(
  factory: FunctionFactory,
  { visitors, mail }: ApiFunctionResources,
): SlipwayFunction {
  const { tables } = factory.props.data;
  const fn = factory.createApiFunction('operators', { timeoutSeconds: 29, memoryMb: 1024 });
  factory.grantApiKeyCheck(fn);
  factory.setOperators(fn);
  // Invitations are rows of the accounts table.
  tables.grantAccounts(fn, ['ConditionCheckItem', 'PutItem', 'DeleteItem', 'Query']);
  factory.setSignUp(fn);
  factory.grantMail(fn, mail);
  // Mails to suspended owners name the contact.
  factory.setSecurityContact(fn);
  // Reports are rows of the projects table.
  tables.grantProjects(fn, ['GetItem', 'PutItem', 'UpdateItem', 'Query']);
  tables.grantSites(fn, ['GetItem', 'PutItem']);
  tables.grantOwnerQuery(fn);
  visitors.grantInvalidation(fn);
  return fn;
}
