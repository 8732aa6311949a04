import type { SlipwayFunction } from '../functions/function.ts';
import type { FunctionFactory } from '../functions/function-factory.ts';
import type { VisitorDistribution } from '../sites/visitor-distribution.ts';
import type { UploadQueue } from '../workers/queues.ts';

// The functions of `lambdas/projects`, each with its permissions.

/** What functions use that change published projects. */
interface ChangeResources {
  visitors: VisitorDistribution;
  uploads: UploadQueue;
}

export function tempProjects(factory: FunctionFactory): SlipwayFunction {
  const { tables, content } = factory.props.data;
  const fn = factory.createApiFunction('temp-projects', { timeoutSeconds: 29, memoryMb: 1769 });
  factory.setKeyPrefix(fn);
  factory.setTempUploadLimits(fn);
  tables.grantSites(fn, ['PutItem']);
  tables.grantProjects(fn, ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem']);
  factory.grantIdempotency(fn);
  content.grantObjects(fn, ['PutObject', 'DeleteObject']);
  content.grantUsingUploads(fn);
  return fn;
}

export function projects(
  factory: FunctionFactory,
  { visitors, uploads }: ChangeResources,
): SlipwayFunction {
  const { tables } = factory.props.data;
  const fn = factory.createApiFunction('projects', { timeoutSeconds: 29, memoryMb: 1769 });
  factory.grantApiKeyCheck(fn);
  factory.grantProjectChanges(fn, visitors, uploads);
  factory.grantAccessSecret(fn);
  tables.grantSites(fn, ['UpdateItem']);
  // A list may have the opens of its projects.
  tables.grantAnalytics(fn, ['BatchGetItem']);
  return fn;
}

export function versions(
  factory: FunctionFactory,
  { visitors, uploads }: ChangeResources,
): SlipwayFunction {
  const fn = factory.createApiFunction('versions', { timeoutSeconds: 29, memoryMb: 1769 });
  factory.grantAccessSecret(fn);
  factory.grantApiKeyCheck(fn);
  factory.grantProjectChanges(fn, visitors, uploads);
  return fn;
}

export function workspaces(factory: FunctionFactory): SlipwayFunction {
  const { tables } = factory.props.data;
  const fn = factory.createApiFunction('workspaces', { timeoutSeconds: 29, memoryMb: 512 });
  factory.grantApiKeyCheck(fn);
  tables.grantAccounts(fn, ['PutItem', 'DeleteItem', 'Query']);
  // Deleting a workspace removes its projects from it.
  tables.grantProjects(fn, ['UpdateItem']);
  tables.grantOwnerQuery(fn);
  return fn;
}

export function shareLinks(factory: FunctionFactory): SlipwayFunction {
  const { tables } = factory.props.data;
  const fn = factory.createApiFunction('share-links', { timeoutSeconds: 15, memoryMb: 1024 });
  factory.grantApiKeyCheck(fn);
  tables.grantProjects(fn, [
    'GetItem',
    'PutItem',
    'UpdateItem',
    'DeleteItem',
    'Query',
    'ConditionCheckItem',
  ]);
  // How often each link was opened.
  tables.grantAnalytics(fn, ['Query', 'DeleteItem']);
  return fn;
}

export function analytics(factory: FunctionFactory): SlipwayFunction {
  const { tables } = factory.props.data;
  const fn = factory.createApiFunction('analytics', { timeoutSeconds: 29, memoryMb: 1024 });
  factory.grantApiKeyCheck(fn);
  tables.grantProjects(fn, ['GetItem']);
  tables.grantStatistics(fn);
  return fn;
}
