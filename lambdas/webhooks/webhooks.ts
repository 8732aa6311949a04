import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { projectReader } from '../../adapters/dynamodb/projects/project-reader.ts';
import { deliveryTable } from '../../adapters/dynamodb/webhooks/delivery-table.ts';
import { webhookTable } from '../../adapters/dynamodb/webhooks/webhook-table.ts';
import * as deliveries from '../../contract/operations/webhook-deliveries.ts';
import * as contract from '../../contract/operations/webhooks.ts';
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

export const bindings = [
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

/** `/v1/webhooks`: addresses that get events, and what was sent to them. */
export const handler = endpoint(bindings);
