import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient, documentItems } from '../../adapters/dynamodb/document-client.ts';
import { keyTable } from '../../adapters/dynamodb/accounts/key-table.ts';
import { ownerAccessTable } from '../../adapters/dynamodb/projects/owner-access-table.ts';
import { siteDirectory } from '../../adapters/dynamodb/projects/site-directory.ts';
import * as contract from '../../contract/operations/projects.ts';
import * as settings from '../../contract/operations/project-settings.ts';
import { archiveProject, unarchiveProject } from '../../core/projects/settings/archive-project.ts';
import { getEmbed as embedOperation } from '../../contract/operations/oembed.ts';
import { getQrCode } from '../../contract/operations/qr-code.ts';
import { getEmbed } from '../../core/embed/get-embed.ts';
import { claimProject } from '../../core/projects/claims/claim-project.ts';
import { createProject } from '../../core/projects/publishing/create-project.ts';
import { deleteProject } from '../../core/projects/removal/delete-project.ts';
import { getProject } from '../../core/projects/get-project.ts';
import { listProjects } from '../../core/projects/list-projects.ts';
import { updateProject } from '../../core/projects/settings/update-project.ts';
import { viewLink } from '../../core/projects/addresses/view-link.ts';
import { qrCode } from '../../core/projects/addresses/qr-code.ts';
import { bind, bindWithKey } from '../http/bind.ts';
import { bindFile, type FileAnswer } from '../http/bind-file.ts';
import { endpoint } from '../http/endpoint.ts';
import { deployedSecret } from '../shared/deployed-secrets.ts';
import { once } from '../shared/once.ts';
import { projectServices } from '../shared/project-services.ts';
import { setting } from '../shared/settings.ts';

const services = once(() => ({
  ...projectServices(),
  accessSecret: deployedSecret('ACCESS_SECRET_ARN'),
  baseUrl: setting('BASE_URL'),
  counters: counterTable(documentClient(), setting('COUNTERS_TABLE')),
  manifests: new Map(),
  keys: keyTable(documentClient(), setting('ACCOUNTS_TABLE')),
  ownerAccess: ownerAccessTable(documentClient(), setting('ACCOUNTS_TABLE')),
  sites: siteDirectory(documentItems(documentClient()), setting('SITES_TABLE')),
}));

export const bindings = [
  bindWithKey(contract.listProjects, {
    run: (caller, input) => listProjects(services(), caller, input),
  }),
  bindWithKey(contract.createProject, {
    run: (caller, input) => createProject(services(), caller, input),
  }),
  bindWithKey(contract.claimProject, {
    run: (caller, input) => claimProject(services(), caller, input),
  }),
  bindWithKey(contract.getProject, {
    run: (caller, input) => getProject(services(), caller, input),
  }),
  bindWithKey(contract.deleteProject, {
    run: (caller, input) => deleteProject(services(), caller, input),
  }),
  bindWithKey(settings.updateProject, {
    run: (caller, input) => updateProject(services(), caller, input),
  }),
  bindWithKey(settings.archiveProject, {
    run: (caller, input) => archiveProject(services(), caller, input),
  }),
  bindWithKey(settings.unarchiveProject, {
    run: (caller, input) => unarchiveProject(services(), caller, input),
  }),
  bindWithKey(settings.viewLink, { run: (caller, input) => viewLink(services(), caller, input) }),
  bind(embedOperation, { run: (caller, input) => getEmbed(services(), caller, input) }),
  bindFile(getQrCode, { run: async (_, input) => picture(await qrCode(services(), input)) }),
];

/** Kept by the one who asked for five minutes; an archived or deleted project has none. */
function picture({ kind, content }: Awaited<ReturnType<typeof qrCode>>): FileAnswer {
  const mediaType = kind === 'svg' ? 'image/svg+xml' : 'image/png';
  return { mediaType, content, cacheControl: 'private, max-age=300' };
}

/** `/v1/projects`: publish, keep, list, read, change, archive and delete an account's projects; `/qr` and `/oembed`: their addresses to scan and to embed. */
export const handler = endpoint(bindings);
