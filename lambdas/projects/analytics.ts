import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { hitReader } from '../../adapters/dynamodb/hits/hit-reader.ts';
import { projectReader } from '../../adapters/dynamodb/projects/project-reader.ts';
import * as contract from '../../contract/operations/analytics.ts';
import { listProjectHits } from '../../core/analytics/hits-csv.ts';
import { getProjectOpens } from '../../core/analytics/project-opens.ts';
import { bind } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { lazy } from '../shared/lazy.ts';
import { logDeferredCleanup } from '../shared/logger.ts';
import { setting } from '../shared/settings.ts';

const services = lazy(() => {
  const client = documentClient();
  const now = () => new Date();
  return {
    projects: projectReader(client, setting('PROJECTS_TABLE')),
    hits: hitReader(client, setting('ANALYTICS_TABLE'), { now, onFailure: logDeferredCleanup }),
    now,
  };
});

export const bindings = [
  bind(contract.getProjectOpens, (caller, input) => getProjectOpens(services(), caller, input)),
  bind(contract.listProjectHits, async (caller, input, reply) => {
    const { csv, next } = await listProjectHits(services(), caller, input);
    reply.headers = linkTo(input, next);
    return csv;
  }),
];

/** A Link header to another page of results (RFC 8288). */
function linkTo(
  { projectId, limit }: { projectId: string; limit: number },
  next: string | undefined,
): Record<string, string> {
  if (next === undefined) return {};
  const query = new URLSearchParams({ limit: String(limit), before: next });
  const path = `/v1/projects/${encodeURIComponent(projectId)}/analytics/hits.csv`;
  return { link: `<${path}?${query.toString()}>; rel="next"` };
}

/** `/v1/projects/{projectId}/analytics`: visits and opens of a project. */
export const handler = endpoint(bindings);
