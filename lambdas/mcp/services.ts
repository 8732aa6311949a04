import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient, documentItems } from '../../adapters/dynamodb/document-client.ts';
import { hitReader } from '../../adapters/dynamodb/hits/hit-reader.ts';
import { siteDirectory } from '../../adapters/dynamodb/projects/site-directory.ts';
import { agentServices } from './agent-services.ts';
import { once } from '../shared/once.ts';
import { setting } from '../shared/settings.ts';
import { uploadLinkServices } from '../uploads/upload-link-services.ts';

/** What the use cases behind the tools need. */
export const services = once(() => uploadLinkServices());

/** What drawing a project's address needs. */
export const qrCodeServices = once(() => ({
  ...services(),
  sites: siteDirectory(documentItems(documentClient()), setting('SITES_TABLE')),
}));

/** What telling who looked needs. */
export const opensServices = once(() => {
  const { projects, now } = services();
  return { projects, now, hits: hitReader(documentClient(), setting('ANALYTICS_TABLE')) };
});

/** What telling who calls, and counting it, needs. */
export const admissionServices = once(() => ({
  ...agentServices(),
  plans: services().plans,
  counters: counterTable(documentClient(), setting('COUNTERS_TABLE')),
}));
