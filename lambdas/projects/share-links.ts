import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { linkOpens } from '../../adapters/dynamodb/hits/link-opens.ts';
import { projectReader } from '../../adapters/dynamodb/projects/project-reader.ts';
import { shareLinkTable } from '../../adapters/dynamodb/projects/share-link-table.ts';
import { visitorTable } from '../../adapters/dynamodb/projects/visitor-table.ts';
import * as contract from '../../contract/operations/share-links.ts';
import * as visitors from '../../contract/operations/visitors.ts';
import { deleteVisitor, listVisitors } from '../../core/people/manage-visitors.ts';
import { addresses } from '../../core/projects/addresses/addresses.ts';
import {
  createShareLink,
  deleteShareLink,
  listShareLinks,
  updateShareLink,
} from '../../core/share-links/manage-share-links.ts';
import { bind } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { deployedPlans } from '../shared/deployed-limits.ts';
import { lazy } from '../shared/lazy.ts';
import { setting } from '../shared/settings.ts';

const services = lazy(() => {
  const client = documentClient();
  return {
    projects: projectReader(client, setting('PROJECTS_TABLE')),
    shareLinks: shareLinkTable(client, setting('PROJECTS_TABLE')),
    visitors: visitorTable(client, setting('PROJECTS_TABLE')),
    linkOpens: linkOpens(client, setting('ANALYTICS_TABLE')),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    addresses: addresses(setting('BASE_URL'), setting('SITES_DOMAIN')),
    plans: deployedPlans(),
    now: () => new Date(),
  };
});

export const bindings = [
  bind(contract.createShareLink, (caller, input) => createShareLink(services(), caller, input)),
  bind(contract.listShareLinks, (caller, input) => listShareLinks(services(), caller, input)),
  bind(contract.updateShareLink, (caller, input) => updateShareLink(services(), caller, input)),
  bind(contract.deleteShareLink, (caller, input) => deleteShareLink(services(), caller, input)),
  bind(visitors.listVisitors, (caller, input) => listVisitors(services(), caller, input)),
  bind(visitors.deleteVisitor, (caller, input) => deleteVisitor(services(), caller, input)),
];

/** `/v1/projects/{projectId}/links` and `/visitors`: addresses with which chosen readers open a project, and who proved theirs. */
export const handler = endpoint(bindings);
