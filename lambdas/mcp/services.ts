import { counterTable } from '../../adapters/counter-table.ts';
import { documentClient, documentItems } from '../../adapters/dynamodb.ts';
import { hitReader } from '../../adapters/hit-reader.ts';
import { siteDirectory } from '../../adapters/site-directory.ts';
import { agentServices } from '../runtime/agent-services.ts';
import { once } from '../runtime/once.ts';
import { setting } from '../runtime/settings.ts';
import { uploadLinkServices } from '../runtime/upload-link-services.ts';

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
