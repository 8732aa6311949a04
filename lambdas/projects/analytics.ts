import { documentClient } from '../adapters/dynamodb.ts';
import { hitReader } from '../adapters/hit-reader.ts';
import { projectReader } from '../adapters/project-reader.ts';
import * as contract from '../contract/operations/analytics.ts';
import { hitsCsv } from '../core/analytics/hits-csv.ts';
import { projectOpens } from '../core/analytics/project-opens.ts';
import { bindWithKey } from './runtime/bind.ts';
import { bindFileWithKey } from './runtime/bind-file.ts';
import { endpoint } from './runtime/endpoint.ts';
import { once } from './runtime/once.ts';
import { setting } from './runtime/settings.ts';

const services = once(() => {
  const client = documentClient();
  return {
    projects: projectReader(client, setting('PROJECTS_TABLE')),
    hits: hitReader(client, setting('ANALYTICS_TABLE')),
    now: () => new Date(),
  };
});

export const bindings = [
  bindWithKey(contract.getProjectOpens, {
    run: (caller, input) => projectOpens(services(), caller, input),
  }),
  bindFileWithKey(contract.listProjectHits, {
    async run(caller, input) {
      const { csv, next } = await hitsCsv(services(), caller, input);
      return { mediaType: 'text/csv', content: csv, headers: linkTo(input, next) };
    },
  }),
];

/** RFC 8288. */
function linkTo(
  { projectId, limit }: { projectId: string; limit: number },
  next: string | undefined,
): Record<string, string> {
  if (next === undefined) return {};
  const query = new URLSearchParams({ limit: String(limit), before: next });
  const path = `/v1/projects/${encodeURIComponent(projectId)}/analytics/hits.csv`;
  return { link: `<${path}?${query.toString()}>; rel="next"` };
}

/** `/v1/projects/{projectId}/analytics`: who looked at a project. */
export const handler = endpoint(bindings);
