import type { SlipwayFunction } from '../functions/function.ts';
import type { FunctionKit } from '../functions/function-kit.ts';
import type { HitQueue } from '../workers/hit-queue.ts';
import type { RoutedFunction } from './api.ts';
import type { Mail } from '../workers/mail.ts';
import type { UploadQueue } from '../workers/upload-queue.ts';
import type { VisitorDistribution } from '../sites/visitor-distribution.ts';

/** What functions behind the REST API work with. */
export interface ApiNeighbours {
  visitors: VisitorDistribution;
  uploads: UploadQueue;
  hits: HitQueue;
  mail: Mail | undefined;
}

/** The functions behind the REST API, each with what it may do. */
export function apiFunctions(
  kit: FunctionKit,
  neighbours: ApiNeighbours,
): Record<RoutedFunction, SlipwayFunction> {
  return {
    system: system(kit),
    'temp-projects': tempProjects(kit),
    accounts: accounts(kit, neighbours),
    uploads: uploads(kit),
    'upload-links': uploadLinks(kit, neighbours),
    projects: projects(kit, neighbours),
    versions: versions(kit, neighbours),
    workspaces: workspaces(kit),
    analytics: analytics(kit),
    export: exporting(kit),
    'claim-pages': claimPages(kit, neighbours),
    oauth: oauth(kit, neighbours),
    mcp: mcp(kit, neighbours),
    'visitor-forms': visitorForms(kit, neighbours),
  };
}

function system(kit: FunctionKit): SlipwayFunction {
  const fn = kit.fn('System', 'system', { timeoutSeconds: 5, memoryMb: 256 });
  kit.serveRequests(fn);
  kit.limitTempUploads(fn);
  kit.tellPlans(fn);
  fn.setVariable('SECURITY_CONTACT', kit.props.settings.securityContact ?? '');
  fn.setVariable('SECURITY_POLICY', kit.props.settings.securityPolicy ?? '');
  return fn;
}

function tempProjects(kit: FunctionKit): SlipwayFunction {
  const { tables, content } = kit.props.data;
  const fn = kit.fn('TempProjects', 'temp-projects', { timeoutSeconds: 29, memoryMb: 1769 });
  kit.serveRequests(fn);
  kit.limitTempUploads(fn);
  tables.grantSites(fn, ['PutItem']);
  tables.grantProjects(fn, ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem']);
  kit.repeatAnswers(fn);
  content.grantObjects(fn, ['PutObject', 'DeleteObject']);
  content.grantUsingUploads(fn);
  return fn;
}

function accounts(kit: FunctionKit, { mail }: ApiNeighbours): SlipwayFunction {
  const fn = kit.fn('Accounts', 'accounts', { timeoutSeconds: 15, memoryMb: 512 });
  kit.serveRequests(fn);
  kit.recogniseKeys(fn);
  kit.signIn(fn, mail);
  kit.props.data.tables.grantAccounts(fn, ['DeleteItem', 'Query']);
  // The owner's access to projects that a key made links for ends with the key.
  kit.props.data.tables.grantProjects(fn, ['GetItem', 'PutItem']);
  kit.props.data.tables.grantSites(fn, ['PutItem']);
  kit.props.data.tables.grantOauth(fn, ['DeleteItem', 'Query']);
  return fn;
}

function uploads(kit: FunctionKit): SlipwayFunction {
  const { tables, content } = kit.props.data;
  const fn = kit.fn('Uploads', 'uploads', { timeoutSeconds: 29, memoryMb: 1024 });
  kit.serveRequests(fn);
  kit.recogniseKeys(fn);
  kit.limitTempUploads(fn);
  tables.grantProjects(fn, ['GetItem', 'PutItem']);
  // The URLs that it signs are for what it may put itself.
  content.grantUploads(fn, ['GetObject', 'PutObject', 'ListMultipartUploadParts']);
  content.grantListing(fn);
  return fn;
}

function uploadLinks(kit: FunctionKit, { visitors, uploads }: ApiNeighbours): SlipwayFunction {
  const fn = kit.fn('UploadLinks', 'upload-links', { timeoutSeconds: 29, memoryMb: 1769 });
  kit.serveRequests(fn);
  kit.recogniseKeys(fn);
  kit.limitTempUploads(fn);
  kit.changeProjects(fn, visitors, uploads);
  // Links that a connected app made end with it.
  kit.props.data.tables.grantOauth(fn, ['GetItem']);
  return fn;
}

function projects(kit: FunctionKit, { visitors, uploads }: ApiNeighbours): SlipwayFunction {
  const { tables } = kit.props.data;
  const fn = kit.fn('Projects', 'projects', { timeoutSeconds: 29, memoryMb: 1769 });
  kit.serveRequests(fn);
  kit.recogniseKeys(fn);
  kit.changeProjects(fn, visitors, uploads);
  kit.signAccess(fn);
  tables.grantSites(fn, ['UpdateItem']);
  return fn;
}

function versions(kit: FunctionKit, { visitors, uploads }: ApiNeighbours): SlipwayFunction {
  const fn = kit.fn('Versions', 'versions', { timeoutSeconds: 29, memoryMb: 1769 });
  kit.serveRequests(fn);
  kit.signAccess(fn);
  kit.recogniseKeys(fn);
  kit.changeProjects(fn, visitors, uploads);
  return fn;
}

function workspaces(kit: FunctionKit): SlipwayFunction {
  const { tables } = kit.props.data;
  const fn = kit.fn('Workspaces', 'workspaces', { timeoutSeconds: 29, memoryMb: 512 });
  kit.serveRequests(fn);
  kit.recogniseKeys(fn);
  tables.grantAccounts(fn, ['PutItem', 'DeleteItem', 'Query']);
  // Its projects leave a workspace that is deleted.
  tables.grantProjects(fn, ['UpdateItem']);
  tables.grantOwnerQuery(fn);
  return fn;
}

function analytics(kit: FunctionKit): SlipwayFunction {
  const { tables } = kit.props.data;
  const fn = kit.fn('Analytics', 'analytics', { timeoutSeconds: 29, memoryMb: 1024 });
  kit.serveRequests(fn);
  kit.recogniseKeys(fn);
  tables.grantProjects(fn, ['GetItem']);
  tables.grantAnalytics(fn, ['Query']);
  return fn;
}

function exporting(kit: FunctionKit): SlipwayFunction {
  const { tables, content } = kit.props.data;
  const fn = kit.fn('Export', 'export', { timeoutSeconds: 29, memoryMb: 1769 });
  kit.serveRequests(fn);
  kit.recogniseKeys(fn);
  tables.grantAccounts(fn, ['Query']);
  tables.grantProjects(fn, ['GetItem', 'Query']);
  tables.grantOwnerQuery(fn);
  content.grantObjects(fn, ['GetObject']);
  return fn;
}

function claimPages(kit: FunctionKit, { visitors, mail }: ApiNeighbours): SlipwayFunction {
  const { tables } = kit.props.data;
  const fn = kit.fn('ClaimPages', 'claim-pages', { timeoutSeconds: 15, memoryMb: 512 });
  kit.serveRequests(fn);
  kit.signIn(fn, mail);
  visitors.grantForgetting(fn);
  tables.grantCounters(fn, ['GetItem', 'UpdateItem']);
  tables.grantSites(fn, ['UpdateItem']);
  tables.grantProjects(fn, ['GetItem', 'PutItem', 'UpdateItem']);
  return fn;
}

function oauth(kit: FunctionKit, { mail }: ApiNeighbours): SlipwayFunction {
  const { tables } = kit.props.data;
  const fn = kit.fn('Oauth', 'oauth', { timeoutSeconds: 29, memoryMb: 512 });
  kit.serveRequests(fn);
  kit.signIn(fn, mail);
  // Its forms carry a proof that they are of the session that they were shown to.
  kit.signAccess(fn);
  kit.recogniseTokens(fn);
  fn.setVariable('OAUTH_SENDS_ISSUER', String(kit.props.settings.oauthSendsIssuer));
  tables.grantAccounts(fn, ['DeleteItem', 'Query']);
  tables.grantCounters(fn, ['GetItem', 'UpdateItem']);
  tables.grantOauth(fn, ['PutItem', 'DeleteItem', 'Query']);
  return fn;
}

function mcp(kit: FunctionKit, { visitors, uploads }: ApiNeighbours): SlipwayFunction {
  const { tables } = kit.props.data;
  const fn = kit.fn('Mcp', 'mcp', { timeoutSeconds: 29, memoryMb: 1769 });
  kit.serveRequests(fn);
  kit.recogniseKeys(fn);
  kit.recogniseTokens(fn);
  kit.limitTempUploads(fn);
  kit.changeProjects(fn, visitors, uploads);
  tables.grantSites(fn, ['UpdateItem']);
  return fn;
}

function visitorForms(kit: FunctionKit, { hits }: ApiNeighbours): SlipwayFunction {
  const { tables } = kit.props.data;
  const fn = kit.fn('VisitorForms', 'visitor-forms', { timeoutSeconds: 10, memoryMb: 1024 });
  kit.serveRequests(fn);
  kit.signAccess(fn);
  tables.grantSites(fn, ['GetItem']);
  // The password that visitors enter stands in the project's own row.
  tables.grantProjects(fn, ['GetItem', 'PutItem']);
  tables.grantCounters(fn, ['GetItem', 'UpdateItem']);
  hits.grantSending(fn);
  return fn;
}
