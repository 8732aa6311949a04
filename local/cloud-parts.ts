import { join } from 'node:path';
import type { Deployment } from './assembly/deployment.ts';
import { arnOf, physicalId } from './assembly/physical-id.ts';
import { resolveSecrets } from './assembly/secret-references.ts';
import { isRecord } from './assembly/json.ts';
import type { CallCounts } from './operator/call-counts.ts';
import type { movableClock } from './time/clock.ts';
import type { ControlDeps } from './operator/control.ts';
import { CustomStates, runCustomResource } from './custom-resources/custom-resource.ts';
import { createEdge, type Edge } from './edge/edge.ts';
import { startEventSources } from './functions/event-sources.ts';
import { Functions } from './functions/functions.ts';
import { createRestApi } from './gateway/create-rest-api.ts';
import type { Resource } from './http/http.ts';
import { createIam, type Iam } from './iam/iam.ts';
import { lambdaPermissions } from './iam/lambda-permissions.ts';
import { offerOperatorAccess, operatorRole } from './operator/operator.ts';
import { originPort } from './origins.ts';
import { startSchedules } from './time/schedule.ts';
import { type Services, startServices } from './services.ts';
import { stateFile } from './state/state-file.ts';

export interface CloudPartsOptions {
  deployment: Deployment;
  stateDir: string;
  clock: ReturnType<typeof movableClock>;
  counts: CallCounts;
  log(line: string): void;
}

/** Everything behind the listener. */
export interface CloudParts {
  edge: Edge;
  control: ControlDeps;
  close(): Promise<void>;
}

/** How often DynamoDB's time to live is applied; the service itself may take days. */
const TTL_SWEEP_MS = 60_000;

/** CloudFormation puts secrets into properties when it hands them to a service, and so do we. */
function withSecrets(resources: Resource[], services: Services): Resource[] {
  return resources.map((resource) => {
    const properties = resolveSecrets(resource.properties, (id) => services.secrets.value(id));
    return { ...resource, properties: isRecord(properties) ? properties : {} };
  });
}

/** Creates the functions, then the custom resources that they serve, then what was waiting for those. */
async function deploy(
  options: CloudPartsOptions,
  services: Services,
  iam: Iam,
): Promise<{ resources: Resource[]; functions: Functions }> {
  const { deployment, stateDir } = options;
  const functions = new Functions({
    ...options,
    iam,
    endpoints: services.endpoints,
    assetPath: (objectKey) => deployment.assetPath(objectKey),
  });
  try {
    functions.add(withSecrets(deployment.resources(), services));
    const state = stateFile(join(stateDir, 'custom-resources.json'), CustomStates, {});
    const all = await deployment.complete((resource) =>
      runCustomResource(resource, state, {
        invoke: async (functionArn, event) => functions.invoke(functionArn, event),
      }),
    );
    const resources = withSecrets(all, services);
    functions.add(resources);
    return { resources, functions };
  } catch (error) {
    await functions.close();
    throw error;
  }
}

function frontOf(resources: Resource[], options: CloudPartsOptions, running: Running): Edge {
  const { clock } = options;
  const { functions, services } = running;
  const restApi = createRestApi({
    resources,
    clock,
    log: (line) => options.log(line),
    invoke: async (name, event) => functions.invoke(name, event),
  });
  const origins = originPort({ ...options, ...running, s3: services.s3, resources, restApi });
  return createEdge({
    resources,
    clock,
    origins,
    report: (message) => options.log(`edge: ${message}`),
  });
}

interface Running {
  functions: Functions;
  services: Services;
  iam: Iam;
}

async function startBackground(
  resources: Resource[],
  options: CloudPartsOptions,
  running: Running,
) {
  const { functions, services, iam } = running;
  const invoke = async (arn: string, event: unknown) => functions.invoke(arn, event);
  const eventSources = await startEventSources({
    resources,
    dynamoDb: services.dynamoDb,
    iam,
    queues: services.queues,
    clock: options.clock,
    invoke,
    log: (line) => options.log(line),
  });
  const schedules = startSchedules({
    resources,
    ruleArn: arnOf,
    clock: options.clock,
    mayInvoke: lambdaPermissions(resources),
    invoke,
    log: (line) => options.log(line),
  });
  const sweep = async () => {
    if (await services.dynamoDb.sweep()) await eventSources.runStreams();
  };
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => options.log(`time to live: ${String(error)}`));
  }, TTL_SWEEP_MS).unref();
  const close = async () => {
    clearInterval(timer);
    eventSources.close();
    await schedules.close();
  };
  return { eventSources, schedules, sweep, close };
}

type Background = Awaited<ReturnType<typeof startBackground>>;

function controlOf(
  resources: Resource[],
  options: CloudPartsOptions,
  running: Running & { edge: Edge; background: Background },
): ControlDeps {
  const { clock, counts } = options;
  const { functions, services, edge, background } = running;
  const distributions = resources
    .filter(({ type }) => /^AWS::CloudFront::Distribution(Tenant)?$/.test(type))
    .map(physicalId);
  return {
    mails: services.mails,
    calls: () => counts.snapshot(),
    resetCalls: () => counts.reset(),
    state: async () => ({
      dynamodb: await services.dynamoDb.rows(),
      s3: services.objectKeys(),
      queues: services.queues.bodies(),
    }),
    now: () => clock.now(),
    async advance(seconds) {
      clock.advance(seconds * 1000);
      functions.setClockOffset(clock.offsetMs);
      await background.schedules.runDue();
      await services.s3.sweep();
      await background.sweep();
      await background.eventSources.runQueues();
    },
    async maintain() {
      await background.schedules.runAll();
      await background.sweep();
      await background.eventSources.runQueues();
    },
    invalidate(items) {
      for (const id of distributions) edge.invalidate(id, items);
    },
  };
}

/** Starts everything that the templates describe. */
export async function startCloudParts(options: CloudPartsOptions): Promise<CloudParts> {
  const { deployment } = options;
  const early = deployment.resources();
  const iam = createIam([...early, operatorRole], physicalId);
  let written: (tables: string[]) => void = () => undefined;
  let edge: Edge | undefined;
  const services = await startServices({
    ...options,
    resources: early,
    iam,
    onWritten: (tables) => written(tables),
    invalidate: (tenantId, items) => edge?.invalidate(tenantId, items),
    distributions: {
      read: (id) => edge?.originHeaders(id),
      write: (id, headers) => edge?.setOriginHeaders(id, headers),
    },
  });
  const ends = [async () => services.close()];
  const close = async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  try {
    const { resources, functions } = await deploy(options, services, iam);
    ends.push(async () => functions.close());
    const running = { functions, services, iam };
    edge = frontOf(resources, options, running);
    const background = await startBackground(resources, options, running);
    ends.push(async () => background.close());
    written = (tables) => background.eventSources.onWritten(tables);
    await background.eventSources.runStreams();
    const { endpoints } = services;
    const withdraw = offerOperatorAccess({ ...options, iam, endpoints, resources });
    ends.push(async () => withdraw());
    const control = controlOf(resources, options, { ...running, edge, background });
    return { edge, control, close };
  } catch (error) {
    await close();
    throw error;
  }
}
