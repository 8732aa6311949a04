import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { abuseReportTable } from '../adapters/dynamodb/abuse-report-table.ts';
import { accountAdmin } from '../adapters/dynamodb/accounts/account-admin.ts';
import { accountRepository } from '../adapters/dynamodb/accounts/account-repository.ts';
import { deletedProjects } from '../adapters/dynamodb/projects/deleted-projects.ts';
import { documentItems } from '../adapters/dynamodb/document-client.ts';
import { edgeCache } from '../adapters/cloudfront/edge-cache.ts';
import {
  operatorClient,
  operatorCloudFront,
  operatorSecrets,
  type OperatorReach,
} from '../adapters/operator/operator-client.ts';
import { originHeader } from '../adapters/cloudfront/origin-header.ts';
import { ownedProjectRepository } from '../adapters/dynamodb/projects/owned-project-repository.ts';
import { planCheckTable } from '../adapters/dynamodb/accounts/plan-check-table.ts';
import { projectRepository } from '../adapters/dynamodb/projects/project-repository.ts';
import { secretStore } from '../adapters/secrets-manager/secret-store.ts';
import { siteDirectory } from '../adapters/dynamodb/projects/site-directory.ts';
import { newSecretValue, type RotateDeps } from '../core/secrets/rotate-secret.ts';
import { readOperatorAccess } from '../local/operator/operator.ts';
import {
  AdminError,
  type DeployedNames,
  type NameVariable,
  type SecretName,
  secretVariables,
  type Stage,
} from './admin-stage.ts';

/** CloudFront's certificates and tenants live there, and so does everything else. */
const REGION = 'us-east-1';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Where a stage's tables are, what they are called, and where its edge is told to forget. */
interface Reach {
  tables: OperatorReach;
  cloudFront: OperatorReach;
  secrets: OperatorReach;
  names: DeployedNames;
  /** The stage's own time: the clock of a local cloud may have been moved. */
  time(): Promise<Date>;
}

function reachOf(stage: Stage): Reach {
  if (stage.kind === 'deployed') {
    const aws = { region: REGION };
    const time = async () => new Date();
    return { tables: aws, cloudFront: aws, secrets: aws, names: stage.names, time };
  }
  const stateDir = path.resolve(stage.stateDir ?? path.join(ROOT, '.slipway'));
  const access = readOperatorAccess(stateDir);
  if (access === undefined) {
    throw new AdminError(
      `No local cloud runs with ${stateDir}. Start it with npm start, or name a deployed table with --table.`,
    );
  }
  const { baseUrl, endpoint, edge, tables, secrets, ...credentials } = access;
  const at = (url: string) => ({ region: REGION, endpoint: { url, ...credentials } });
  const names = {
    ...tables,
    ...secrets.arns,
    SITES_TENANT_ID: edge.tenantId,
    DISTRIBUTION_IDS: edge.distributions.join(','),
  };
  return {
    tables: at(endpoint),
    cloudFront: at(edge.endpoint),
    secrets: at(secrets.endpoint),
    names,
    time: () => localTime(baseUrl),
  };
}

async function localTime(baseUrl: string): Promise<Date> {
  const answer = await fetch(`${baseUrl}/_local/clock`);
  return new Date(z.object({ now: z.string() }).parse(await answer.json()).now);
}

async function rotationDeps(
  reach: Reach,
  secret: SecretName,
  name: (variable: NameVariable) => string,
): Promise<RotateDeps> {
  const at = await reach.time();
  const cloudFront = operatorCloudFront(reach.cloudFront);
  const isSent = secret === 'OriginSecret';
  return {
    store: secretStore(operatorSecrets(reach.secrets), name(secretVariables[secret])),
    ...(isSent && { sender: originHeader(cloudFront, name('DISTRIBUTION_IDS').split(/[\s,]+/)) }),
    newValue: () => newSecretValue(),
    now: () => at,
  };
}

/** What commands work with, made of what a stage's names lead to; a name that lacks is asked for. */
export function operatorDeps(stage: Stage) {
  const reach = reachOf(stage);
  const { tables, cloudFront, names } = reach;
  const client = operatorClient(tables);
  const name = (variable: NameVariable): string => {
    const value = names[variable];
    if (value !== undefined) return value;
    throw new AdminError(
      `This needs ${variable}, too; npm run admin -- --help says how to give it.`,
    );
  };
  const now = () => new Date();
  return {
    accounts: () => {
      const table = name('ACCOUNTS_TABLE');
      return {
        accounts: accountRepository(client, table),
        admin: accountAdmin(client, table),
        checks: planCheckTable(client, table),
        now,
      };
    },
    rotation: (secret: SecretName) => rotationDeps(reach, secret, name),
    reports: () => ({ reports: abuseReportTable(client, name('PROJECTS_TABLE')), now }),
    deleted: () => deletedProjects(client, name('PROJECTS_TABLE')),
    projects: () => {
      const own = {
        projects: name('PROJECTS_TABLE'),
        sites: name('SITES_TABLE'),
        accounts: name('ACCOUNTS_TABLE'),
      };
      return {
        projects: projectRepository(client, own),
        owned: ownedProjectRepository(client, own),
        deleted: deletedProjects(client, own.projects),
        sites: siteDirectory(documentItems(client), own.sites),
        edge: edgeCache(name('SITES_TENANT_ID'), operatorCloudFront(cloudFront)),
        onFailure: (_: unknown, error: unknown) =>
          console.error(
            `The edge is told again in a minute; now it could not be: ${String(error)}`,
          ),
        now,
      };
    },
  };
}
