import { setTimeout as sleep } from 'node:timers/promises';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { hitReader } from '../../adapters/dynamodb/hits/hit-reader.ts';
import { scanProjects } from '../../adapters/dynamodb/projects/owned-project-repository.ts';
import { projectReader } from '../../adapters/dynamodb/projects/project-reader.ts';
import { shareLinkTable } from '../../adapters/dynamodb/projects/share-link-table.ts';
import { deliveryTable } from '../../adapters/dynamodb/webhooks/delivery-table.ts';
import { webhookTable } from '../../adapters/dynamodb/webhooks/webhook-table.ts';
import * as events from '../../contract/operations/events.ts';
import * as deliveries from '../../contract/operations/webhook-deliveries.ts';
import * as contract from '../../contract/operations/webhooks.ts';
import { addresses } from '../../core/projects/addresses/addresses.ts';
import type { ProjectScan } from '../../core/projects/owned-projects.ts';
import { listEvents } from '../../core/webhooks/list-events.ts';
import { listDeliveries, redeliver, testWebhook } from '../../core/webhooks/manage-deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from '../../core/webhooks/manage-webhooks.ts';
import { bind } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { deployedPlans } from '../shared/deployed-limits.ts';
import { lazy } from '../shared/lazy.ts';
import { logDeferredCleanup } from '../shared/logger.ts';
import { isLocal, setting } from '../shared/settings.ts';

const services = lazy(() => {
  const client = documentClient();
  return {
    projects: projectReader(client, setting('PROJECTS_TABLE')),
    webhooks: webhookTable(client, setting('ACCOUNTS_TABLE')),
    deliveries: deliveryTable(client, setting('PROJECTS_TABLE')),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    plans: deployedPlans(),
    allowsLoopback: isLocal(),
    now: () => new Date(),
  };
});

const eventServices = lazy(() => {
  const client = documentClient();
  const { now } = services();
  return {
    ...services(),
    owned: { scan: (query: ProjectScan) => scanProjects(client, setting('PROJECTS_TABLE'), query) },
    hits: hitReader(client, setting('ANALYTICS_TABLE'), { now, onFailure: logDeferredCleanup }),
    shareLinks: shareLinkTable(client, setting('PROJECTS_TABLE')),
    addresses: addresses(setting('BASE_URL'), setting('SITES_DOMAIN')),
    // One program that listens all day.
    waits: { of: 'events', secondsPerDay: 86_400 } as const,
    sleep,
  };
});

export const bindings = [
  bind(events.listEvents, (caller, input) => listEvents(eventServices(), caller, input)),
  bind(contract.createWebhook, (caller, input) => createWebhook(services(), caller, input)),
  bind(contract.listWebhooks, (caller) => listWebhooks(services(), caller)),
  bind(contract.updateWebhook, (caller, input) => updateWebhook(services(), caller, input)),
  bind(contract.deleteWebhook, (caller, input) => deleteWebhook(services(), caller, input)),
  bind(contract.rotateWebhookSecret, (caller, input) =>
    rotateWebhookSecret(services(), caller, input),
  ),
  bind(deliveries.testWebhook, (caller, input) => testWebhook(services(), caller, input)),
  bind(deliveries.listDeliveries, (caller, input) => listDeliveries(services(), caller, input)),
  bind(deliveries.redeliver, (caller, input) => redeliver(services(), caller, input)),
];

/** `/v1/webhooks` and `/v1/events`: addresses that get events, what was sent to them, and events that are waited for. */
export const handler = endpoint(bindings);
