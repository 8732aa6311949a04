import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { readOperatorAccess } from '../../local/operator/operator.ts';
import type { ResourceNames, ResourceVariable } from '../admin-names.ts';
import { CommandError } from '../command-line.ts';
import { readStageResources, type Stage, stageRegion as region } from './stage-resources.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Endpoints, credentials and resource names of a stage. */
export type StageAccess = Awaited<ReturnType<typeof openStage>>;

/**
 * Opens a stage.
 * @throws CommandError if it does not run, or lacks an output
 */
export async function openStage(stage: Stage) {
  if (stage.kind === 'stage') {
    const aws = { region };
    const time = async () => new Date();
    const name = nameIn(await readStageResources(stage.name));
    return { tables: aws, cloudFront: aws, secrets: aws, storage: aws, name, time };
  }
  const stateDir = path.resolve(stage.stateDir ?? path.join(ROOT, '.slipway'));
  const access = readOperatorAccess(stateDir);
  if (access === undefined) {
    throw new CommandError(
      `No local cloud is running with ${stateDir}. Start it with npm start, or name a deployed stage with --stage.`,
    );
  }
  const { baseUrl, endpoint, edge, tables, secrets, content, signUpPolicy, ...credentials } =
    access;
  // If the local cloud does not answer, the command's next request reports it.
  const now = await localTime(baseUrl).catch(() => new Date());
  const clockAheadMs = now.getTime() - Date.now();
  const endpointAt = (url: string) => ({ region, endpoint: { url, clockAheadMs, ...credentials } });
  const name = nameIn({
    ...tables,
    ...secrets.arns,
    CONTENT_BUCKET: content.bucket,
    SITES_TENANT_ID: edge.tenantId,
    DISTRIBUTION_IDS: edge.distributions.join(','),
    BASE_URL: baseUrl,
    SITES_DOMAIN: content.sitesDomain,
    SIGN_UP_POLICY: signUpPolicy,
  });
  return {
    tables: endpointAt(endpoint),
    cloudFront: endpointAt(edge.endpoint),
    secrets: endpointAt(secrets.endpoint),
    storage: endpointAt(content.endpoint),
    /** @throws CommandError if the stage does not say this name */
    name,
    /** The stage's time. The clock of a local cloud may have been moved. */
    time: () => localTime(baseUrl),
  };
}

async function localTime(baseUrl: string): Promise<Date> {
  const answer = await fetch(`${baseUrl}/_local/clock`);
  return new Date(z.object({ now: z.string() }).parse(await answer.json()).now);
}

function nameIn(names: ResourceNames): (variable: ResourceVariable) => string {
  return (variable) => {
    const value = names[variable];
    if (value !== undefined) return value;
    throw new CommandError(`The stage does not say its ${variable}. Deploy it again.`);
  };
}
