import { abuseReportTable } from '../adapters/dynamodb/abuse-report-table.ts';
import { accountAdmin } from '../adapters/dynamodb/accounts/account-admin.ts';
import { accountRepository } from '../adapters/dynamodb/accounts/account-repository.ts';
import { deletedProjects } from '../adapters/dynamodb/projects/deleted-projects.ts';
import { contentBucket } from '../adapters/s3/content-bucket.ts';
import { fileHistory } from '../adapters/s3/file-history.ts';
import { documentItems } from '../adapters/dynamodb/document-client.ts';
import { edgeCache } from '../adapters/cloudfront/edge-cache.ts';
import {
  operatorClient,
  operatorCloudFront,
  operatorSecrets,
  operatorStorage,
} from '../adapters/operator/operator-client.ts';
import { originHeader } from '../adapters/cloudfront/origin-header.ts';
import { invitationTable } from '../adapters/dynamodb/accounts/invitation-table.ts';
import { ownedProjectRepository } from '../adapters/dynamodb/projects/owned-project-repository.ts';
import { planCheckTable } from '../adapters/dynamodb/accounts/plan-check-table.ts';
import { projectRepository } from '../adapters/dynamodb/projects/project-repository.ts';
import { purgeRows } from '../adapters/dynamodb/projects/purge-rows.ts';
import { codeTable } from '../adapters/dynamodb/accounts/code-table.ts';
import { domainRoots } from '../adapters/dynamodb/domains/domain-roots.ts';
import { domainRepository } from '../adapters/dynamodb/domains/domain-repository.ts';
import { counterTable } from '../adapters/dynamodb/counter-table.ts';
import { SignUpPolicy } from '../contract/fields.ts';
import { openStage, type StageAccess } from './stages/stage-access.ts';
import type { Stage } from './stages/stage-resources.ts';
import { readRotatingSecret, secretStore } from '../adapters/secrets-manager/secret-store.ts';
import { siteDirectory } from '../adapters/dynamodb/projects/site-directory.ts';
import { newSecretValue, type RotateDeps } from '../core/secrets/rotate-secret.ts';
import { type ResourceVariable, type SecretName, secretVariables } from './admin-names.ts';

async function rotationDeps(
  access: StageAccess,
  secret: SecretName,
  name: (variable: ResourceVariable) => string,
): Promise<RotateDeps> {
  const now = await access.time();
  const cloudFront = operatorCloudFront(access.cloudFront);
  const isSentByCloudFront = secret === 'OriginSecret';
  return {
    store: secretStore(operatorSecrets(access.secrets), name(secretVariables[secret])),
    ...(isSentByCloudFront && {
      sender: originHeader(cloudFront, name('DISTRIBUTION_IDS').split(/[\s,]+/)),
    }),
    newValue: () => newSecretValue(),
    now: () => now,
  };
}

function projectTables(name: (variable: ResourceVariable) => string) {
  return {
    projects: name('PROJECTS_TABLE'),
    sites: name('SITES_TABLE'),
    accounts: name('ACCOUNTS_TABLE'),
  };
}

function fileDeps(access: StageAccess, name: (variable: ResourceVariable) => string) {
  const own = projectTables(name);
  return {
    files: fileHistory(name('CONTENT_BUCKET'), operatorStorage(access.storage)),
    content: contentBucket(name('CONTENT_BUCKET'), operatorStorage(access.storage)),
    projects: projectRepository(operatorClient(access.tables), own),
    owned: ownedProjectRepository(operatorClient(access.tables), own),
    now: () => new Date(),
  };
}

async function signInDeps(
  access: StageAccess,
  client: ReturnType<typeof operatorClient>,
  name: (variable: ResourceVariable) => string,
) {
  const time = await access.time();
  const secrets = operatorSecrets(access.secrets);
  return {
    deps: {
      accounts: accountRepository(client, name('ACCOUNTS_TABLE')),
      codes: codeTable(client, name('CODES_TABLE')),
      counters: counterTable(client, name('COUNTERS_TABLE')),
      codeSecret: await readRotatingSecret(secrets, name('CODE_SECRET_ARN')),
      signUpPolicy: SignUpPolicy.parse(name('SIGN_UP_POLICY')),
      // The operator vouches for the address.
      allowedEmailDomains: [],
      invitations: invitationTable(client, name('ACCOUNTS_TABLE')),
      baseUrl: name('BASE_URL'),
      now: () => time,
    },
    baseUrl: name('BASE_URL'),
  };
}

/**
 * The dependencies of the commands, by group. A group throws CommandError if a resource name that
 * it needs is missing.
 * @param warn reports a problem that does not end the command
 */
export async function operatorDeps(stage: Stage, warn: (line: string) => void) {
  const access = await openStage(stage);
  const { tables, cloudFront, name } = access;
  const client = operatorClient(tables);
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
    rotation: (secret: SecretName) => rotationDeps(access, secret, name),
    files: () => fileDeps(access, name),
    signIn: async () => signInDeps(access, client, name),
    reports: () => abuseReportTable(client, name('PROJECTS_TABLE')),
    domains: async () => {
      const own = projectTables(name);
      const domains = domainRepository(client, own);
      return { domains, projects: projectRepository(client, own), now: await access.time() };
    },
    deleted: () => deletedProjects(client, name('PROJECTS_TABLE')),
    projects: () => {
      const own = projectTables(name);
      return {
        projects: projectRepository(client, own),
        owned: ownedProjectRepository(client, own),
        deleted: deletedProjects(client, own.projects),
        sites: siteDirectory(documentItems(client), own.sites),
        roots: domainRoots(documentItems(client), own),
        edge: edgeCache(
          name('SITES_TENANT_ID'),
          purgeRows(client, own.projects),
          operatorCloudFront(cloudFront),
        ),
        onFailure: (_: unknown, error: unknown) =>
          warn(
            `The edge cache could not be invalidated. It is tried again in a minute. ${String(error)}`,
          ),
        now,
      };
    },
  };
}
