import { setTimeout as sleep } from 'node:timers/promises';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient, documentItems } from '../../adapters/dynamodb/document-client.ts';
import { hitReader } from '../../adapters/dynamodb/hits/hit-reader.ts';
import { linkOpens } from '../../adapters/dynamodb/hits/link-opens.ts';
import { shareLinkTable } from '../../adapters/dynamodb/projects/share-link-table.ts';
import { siteDirectory } from '../../adapters/dynamodb/projects/site-directory.ts';
import { agentServices } from './agent-services.ts';
import { deployedSecret } from '../shared/deployed-secrets.ts';
import { lazy } from '../shared/lazy.ts';
import { setting } from '../shared/settings.ts';
import { uploadLinkServices } from '../uploads/upload-link-services.ts';

/** The dependencies of the use cases behind the tools. */
export const services = lazy(() => uploadLinkServices());

/** The dependencies for creating a QR code. */
export const qrCodeServices = lazy(() => ({
  ...services(),
  sites: siteDirectory(documentItems(documentClient()), setting('SITES_TABLE')),
}));

/** The dependencies for making preview links. */
export const previewServices = lazy(() => ({
  ...services(),
  accessSecret: deployedSecret('ACCESS_SECRET_ARN'),
}));

/** The dependencies for reading the analytics of a project. */
export const opensServices = lazy(() => {
  const { projects, now, onFailure } = services();
  const table = setting('ANALYTICS_TABLE');
  return { projects, now, hits: hitReader(documentClient(), table, { now, onFailure }) };
});

/** The dependencies for making and listing share links. */
export const shareLinkServices = lazy(() => ({
  ...services(),
  shareLinks: shareLinkTable(documentClient(), setting('PROJECTS_TABLE')),
  linkOpens: linkOpens(documentClient(), setting('ANALYTICS_TABLE')),
}));

/** The dependencies for waiting for opens. A waiting call holds the memory of this function. */
export const eventServices = lazy(() => ({
  ...shareLinkServices(),
  ...opensServices(),
  counters: counterTable(documentClient(), setting('COUNTERS_TABLE')),
  waits: { of: 'mcp', secondsPerDay: 3600 } as const,
  sleep,
}));

/** The dependencies for identifying a caller and counting requests. */
export const admissionServices = lazy(() => ({
  ...agentServices(),
  plans: services().plans,
  counters: counterTable(documentClient(), setting('COUNTERS_TABLE')),
}));
