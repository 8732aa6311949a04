import { join } from 'node:path';
import type { Deployment } from './assembly/deployment.ts';
import { arnOf, physicalId } from './assembly/resource-types.ts';
import { resolveSecrets } from './assembly/secret-references.ts';
import { isRecord } from './errors.ts';
import type { movableClock } from './time/clock.ts';
import type { ControlDeps } from './operator/control.ts';
import { CustomStates, runCustomResource } from './assembly/custom-resource.ts';
import type { PartitionLimits } from './dynamodb/partition-limits.ts';
import { createEdge, type Edge, lateEdge } from './edge/edge.ts';
import { controlOf, edgeTenants } from './domain-services.ts';
import { startEventSources } from './functions/event-sources.ts';
import { Functions, type FunctionsOptions } from './functions/functions.ts';
import { createRestApi } from './gateway/rest-api.ts';
import type { Resource } from './assembly/resource.ts';
import { createIam, type Iam } from './iam/iam.ts';
import { lambdaPermissions } from './iam/lambda-permissions.ts';
import { operatorRole, writeOperatorAccess } from './operator/operator.ts';
import { createOriginPort } from './origins.ts';
import { startAsyncInvocations } from './lambda/async-invocations.ts';
import { startSchedules } from './time/schedule.ts';
import { type Services, startServices } from './services.ts';
import type { S3Server } from './s3/s3-server.ts';
import { stateFile } from './state/state-file.ts';

type OfFunctions = 's3Url' | 'selfRoute' | 'compileCacheDir' | 'counts' | 'accountConcurrency';

export interface CloudPartsOptions extends Pick<FunctionsOptions, OfFunctions> {
  deployment: Deployment;
  stateDir: string;
  clock: ReturnType<typeof movableClock>;
  mailSandbox?: boolean | undefined;
  partitionLimits?: PartitionLimits | undefined;
  domainDelaySeconds?: number | undefined;
  /** Called with S3 as soon as it runs: functions of custom resources need it, and nothing else runs yet. */
  onStorage(s3: Pick<S3Server, 'handle'>): void;
  log(line: string): void;
}

/** The running parts behind the HTTP listener. */
export interface CloudParts {
  edge: Edge;
  control: ControlDeps;
  close(): Promise<void>;
}

/** How often expired DynamoDB items are deleted; the real service may take days. */
const TTL_SWEEP_MS = 60_000;

/** Resolves secret references, as CloudFormation does before it passes properties to a service. */
function withSecrets(resources: Resource[], services: Services): Resource[] {
  return resources.map((resource) => {
    const properties = resolveSecrets(resource.properties, (id, stage) =>
      services.secrets.value(id, stage),
    );
    return { ...resource, properties: isRecord(properties) ? properties : {} };
  });
}

/** Creates the functions, then runs the custom resources, then adds the functions that depend on those. */
async function deployFunctions(
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

function createEdgeOfTemplates(
  resources: Resource[],
  options: CloudPartsOptions,
  running: RunningParts,
): Edge {
  const { clock } = options;
  const { functions, services } = running;
  const restApi = createRestApi({
    resources,
    clock,
    log: (line) => options.log(line),
    invoke: async (name, event, onStart) => functions.invoke(name, event, onStart),
  });
  const origins = createOriginPort({ ...options, ...running, s3: services.s3, resources, restApi });
  return createEdge({
    resources,
    clock,
    origins,
    tenants: edgeTenants(services.domains, clock),
    report: (message) => options.log(`edge: ${message}`),
    onBilled: (unit) => options.counts.add('billed', unit),
  });
}

interface RunningParts {
  functions: Functions;
  services: Services;
  iam: Iam;
}

async function startBackground(
  resources: Resource[],
  options: CloudPartsOptions,
  running: RunningParts,
) {
  const { functions, services, iam, clock } = { ...running, clock: options.clock };
  const log = (line: string) => options.log(line);
  const invoke = async (arn: string, event: unknown) => functions.invoke(arn, event);
  const eventSources = await startEventSources({
    resources,
    dynamoDb: services.dynamoDb,
    iam,
    queues: services.queues,
    clock,
    invoke,
    log,
  });
  const invocations = startAsyncInvocations({ resources, clock, invoke, log });
  const schedules = startSchedules({
    resources,
    ruleArn: arnOf,
    clock,
    mayInvoke: lambdaPermissions(resources),
    invoke: async (arn, event) => invocations.invoke(arn, event),
  });
  const runDue = async () => {
    await Promise.all([schedules.runDue(), invocations.runDue()]);
  };
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
    await invocations.close();
  };
  return { eventSources, schedules, runDue, sweep, close };
}

type Background = Awaited<ReturnType<typeof startBackground>>;

function createControl(
  resources: Resource[],
  options: CloudPartsOptions,
  running: RunningParts & { edge: Edge; background: Background },
): ControlDeps {
  const { clock, counts } = options;
  const { functions, services, edge, background } = running;
  const distributions = resources
    .filter(({ type }) => /^AWS::CloudFront::Distribution(Tenant)?$/.test(type))
    .map(physicalId);
  return {
    mails: services.mails,
    bounce: (address, reason) => services.suppressed.add(address, reason),
    calls: () => counts.snapshot(),
    resetCalls: () => counts.reset(),
    state: async () => ({
      dynamodb: await services.dynamoDb.rows(),
      s3: services.objectKeys(),
      queues: services.queues.bodies(),
      domains: services.domains.state(),
    }),
    ...controlOf(services.domains),
    now: () => clock.now(),
    async advance(seconds) {
      clock.advance(seconds * 1000);
      functions.setClockOffset(clock.offsetMs);
      await background.runDue();
      await services.s3.sweep();
      await background.sweep();
      await background.eventSources.runStreams();
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

/** Starts everything that the templates define. */
export async function startCloudParts(options: CloudPartsOptions): Promise<CloudParts> {
  const { deployment } = options;
  const initialResources = deployment.resources();
  const iam = createIam([...initialResources, operatorRole], physicalId);
  let onTablesWritten: (tables: string[]) => void = () => undefined;
  let edge: Edge | undefined;
  const services = await startServices({
    ...options,
    resources: initialResources,
    iam,
    onWritten: (tables) => onTablesWritten(tables),
    ...lateEdge(() => edge),
  });
  options.onStorage(services.s3);
  const closers = [async () => services.close()];
  const close = async () => {
    for (const end of closers.splice(0).toReversed()) await end();
  };
  try {
    const { resources, functions } = await deployFunctions(options, services, iam);
    closers.push(async () => functions.close());
    const running = { functions, services, iam };
    edge = createEdgeOfTemplates(resources, options, running);
    const background = await startBackground(resources, options, running);
    closers.push(async () => background.close());
    onTablesWritten = (tables) => background.eventSources.onWritten(tables);
    await background.eventSources.runStreams();
    const endpoints = { ...services.endpoints, cloudFormation: services.cloudFormation };
    const removeAccess = writeOperatorAccess({ ...options, iam, endpoints, resources });
    closers.push(async () => removeAccess());
    const control = createControl(resources, options, { ...running, edge, background });
    return { edge, control, close };
  } catch (error) {
    await close();
    throw error;
  }
}
