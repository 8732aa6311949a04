import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient, documentItems } from '../../adapters/dynamodb/document-client.ts';
import { hitReader } from '../../adapters/dynamodb/hits/hit-reader.ts';
import { keyTable } from '../../adapters/dynamodb/accounts/key-table.ts';
import { ownerAccessTable } from '../../adapters/dynamodb/projects/owner-access-table.ts';
import { sessionTable } from '../../adapters/dynamodb/accounts/session-table.ts';
import { shareLinkTable } from '../../adapters/dynamodb/projects/share-link-table.ts';
import { siteDirectory } from '../../adapters/dynamodb/projects/site-directory.ts';
import * as contract from '../../contract/operations/projects.ts';
import * as deletedContract from '../../contract/operations/deleted-projects.ts';
import * as settings from '../../contract/operations/project-settings.ts';
import { archiveProject, unarchiveProject } from '../../core/projects/settings/archive-project.ts';
import * as sharing from '../../contract/operations/sharing.ts';
import { replaceProjectFiles } from '../../contract/operations/versions.ts';
import { getEmbed } from '../../core/embed/get-embed.ts';
import { claimProject } from '../../core/projects/claims/claim-project.ts';
import { createProject } from '../../core/projects/publishing/create-project.ts';
import {
  listDeletedProjects,
  restoreProject,
} from '../../core/projects/removal/restore-deleted.ts';
import { duplicateProject } from '../../core/projects/publishing/duplicate-project.ts';
import { deleteProject } from '../../core/projects/removal/delete-project.ts';
import { listProjects } from '../../core/projects/list-projects.ts';
import { getProject } from '../../core/projects/project-view.ts';
import { updateProjectSettings } from '../../core/projects/settings/update-project.ts';
import { createViewLink } from '../../core/projects/addresses/create-owner-link.ts';
import { contentMemory } from '../../core/visit/content-memory.ts';
import { getQrCode } from '../../core/projects/addresses/qr-code.ts';
import { appPages } from '../http/app-pages.ts';
import { bind } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { deployedSecret } from '../shared/deployed-secrets.ts';
import { lazy } from '../shared/lazy.ts';
import { logDeferredCleanup } from '../shared/logger.ts';
import { deployedRoots } from '../shared/deployed-roots.ts';
import { projectServices } from '../shared/project-services.ts';
import { setting } from '../shared/settings.ts';
import { mailStopBindings } from './mail-stop-bindings.ts';

const now = () => new Date();

const services = lazy(() => ({
  ...projectServices(),
  opens: hitReader(documentClient(), setting('ANALYTICS_TABLE'), {
    now,
    onFailure: logDeferredCleanup,
  }),
  accessSecret: deployedSecret('ACCESS_SECRET_ARN'),
  baseUrl: setting('BASE_URL'),
  counters: counterTable(documentClient(), setting('COUNTERS_TABLE')),
  contents: contentMemory(),
  keys: keyTable(documentClient(), setting('ACCOUNTS_TABLE')),
  ownerAccess: ownerAccessTable(documentClient(), setting('ACCOUNTS_TABLE')),
  sessions: sessionTable(documentClient(), setting('ACCOUNTS_TABLE')),
  sites: siteDirectory(documentItems(documentClient()), setting('SITES_TABLE')),
  roots: deployedRoots(documentItems(documentClient())),
}));

/** The dependencies of the link that stops mails. */
const mailServices = lazy(() => ({
  ...services(),
  shareLinks: shareLinkTable(documentClient(), setting('PROJECTS_TABLE')),
}));

export const bindings = [
  bind(contract.listProjects, (caller, input) => listProjects(services(), caller, input)),
  bind(contract.createProject, (caller, input) => createProject(services(), caller, input)),
  bind(contract.duplicateProject, (caller, input) => duplicateProject(services(), caller, input)),
  bind(contract.claimProject, (caller, input) => claimProject(services(), caller, input)),
  bind(contract.getProject, (caller, input) => getProject(services(), caller, input)),
  bind(contract.deleteProject, (caller, input) => deleteProject(services(), caller, input)),
  bind(deletedContract.listDeletedProjects, (caller, input) =>
    listDeletedProjects(services(), caller, input),
  ),
  bind(deletedContract.restoreProject, (caller, input) =>
    restoreProject(services(), caller, input),
  ),
  bind(settings.updateProjectSettings, (caller, input) =>
    updateProjectSettings(services(), caller, input),
  ),
  bind(settings.archiveProject, (caller, input) => archiveProject(services(), caller, input)),
  bind(settings.unarchiveProject, (caller, input) => unarchiveProject(services(), caller, input)),
  bind(settings.createViewLink, (caller, input) => createViewLink(services(), caller, input)),
  bind(sharing.getEmbed, (caller, input) => getEmbed(services(), caller, input)),
  bind(sharing.getQrCode, async (_, input, reply) => {
    const { kind, content } = await getQrCode(services(), input);
    reply.mediaType = kind === 'svg' ? 'image/svg+xml' : 'image/png';
    // Short and private, because an archived or deleted project has no QR code.
    reply.headers['cache-control'] = 'private, max-age=300';
    return content;
  }),
  ...mailStopBindings(mailServices),
];

/**
 * `/v1/projects`: publish, claim, list, read, change, archive and delete an account's projects;
 * `/qr` and `/oembed`: QR codes and embeds of their addresses; `/mails/stop`: the page that stops mails about opens.
 */
export const handler = endpoint(bindings, { ...appPages, elsewhere: [replaceProjectFiles] });
