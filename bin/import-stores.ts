import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { accountRepository } from '../adapters/dynamodb/accounts/account-repository.ts';
import { contentBucket } from '../adapters/s3/content-bucket.ts';
import {
  operatorClient,
  type OperatorReach,
  operatorStorage,
} from '../adapters/operator/operator-client.ts';
import { domainRepository } from '../adapters/dynamodb/domains/domain-repository.ts';
import { projectImport } from '../adapters/dynamodb/projects/project-import.ts';
import { projectRepository } from '../adapters/dynamodb/projects/project-repository.ts';
import { workspaceRepository } from '../adapters/dynamodb/workspaces/workspace-repository.ts';
import { readOperatorAccess } from '../local/operator/operator.ts';
import { CommandError } from './command-line.ts';
import { readStageResources, type Stage, stageRegion as region } from './stages/stage-resources.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

interface TargetAccess {
  names: Record<'accounts' | 'projects' | 'sites' | 'bucket' | 'sites-domain', string>;
  tables: OperatorReach;
  storage: OperatorReach;
}

async function openTarget(target: Stage): Promise<TargetAccess> {
  if (target.kind === 'stage') return openStage(target.name);
  const stateDir = path.resolve(target.stateDir ?? path.join(root, '.slipway'));
  const access = readOperatorAccess(stateDir);
  if (access === undefined) {
    throw new CommandError(
      `No local cloud is running with ${stateDir}. Start it with npm start, or name a deployed stage.`,
    );
  }
  const { endpoint, tables, content, accessKeyId, secretAccessKey } = access;
  const credentials = { accessKeyId, secretAccessKey };
  return {
    names: {
      accounts: tables['ACCOUNTS_TABLE'] ?? '',
      projects: tables['PROJECTS_TABLE'] ?? '',
      sites: tables['SITES_TABLE'] ?? '',
      bucket: content.bucket,
      'sites-domain': content.sitesDomain,
    },
    tables: { region, endpoint: { url: endpoint, ...credentials } },
    storage: { region, endpoint: { url: content.endpoint, ...credentials } },
  };
}

async function openStage(stage: string): Promise<TargetAccess> {
  const found = await readStageResources(stage);
  const names = {
    accounts: found.ACCOUNTS_TABLE,
    projects: found.PROJECTS_TABLE,
    sites: found.SITES_TABLE,
    bucket: found.CONTENT_BUCKET,
    'sites-domain': found.SITES_DOMAIN,
  };
  return { names, tables: { region }, storage: { region } };
}

/** The tables and the bucket that an import writes to. */
export async function importStores(target: Stage) {
  const { names, tables, storage } = await openTarget(target);
  const client = operatorClient(tables);
  return {
    accounts: accountRepository(client, names.accounts),
    workspaces: workspaceRepository(client, names.accounts),
    projects: projectRepository(client, names),
    imports: projectImport(client, names),
    domains: domainRepository(client, names),
    content: contentBucket(names.bucket, operatorStorage(storage)),
    sitesDomain: names['sites-domain'],
  };
}
