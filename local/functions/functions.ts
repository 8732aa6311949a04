import * as z from 'zod';
import { arnOf, physicalId } from '../assembly/resource-types.ts';
import { REGION } from '../assembly/resource-type.ts';
import type { CallCounts } from '../operator/operator.ts';
import type { Clock } from '../time/clock.ts';
import type { Iam } from '../iam/iam.ts';
import { createFunction, type LocalFunction, throttled } from '../lambda/create-function.ts';
import type { SelfRoute } from '../lambda/lambda-environment.ts';
import type { InvokeResult, StreamResult } from '../lambda/invoke-result.ts';
import { withLocalQueueUrls } from '../sqs/queue-url.ts';
import { StartError } from '../errors.ts';
import { type Resource, resourcesOfType, parseProperties } from '../assembly/resource.ts';

const Properties = z.object({
  Code: z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
  Handler: z.string(),
  Runtime: z.string().regex(/^nodejs\d+\.x$/, 'must be a Node.js runtime'),
  Role: z.string(),
  Environment: z
    .strictObject({ Variables: z.record(z.string(), z.coerce.string()) })
    .default({ Variables: {} }),
  Timeout: z.int().default(3),
  MemorySize: z.int().default(128),
  ReservedConcurrentExecutions: z.int().positive().optional(),
});

/** The URLs of the services, which functions get as environment variables of the SDK. */
export interface Endpoints {
  dynamoDb: string;
  s3: string;
  ses: string;
  cloudFront: string;
  secretsManager: string;
  sqs: string;
  acm: string;
  /** The addresses of the resolvers, which replace those of the template. */
  dnsResolvers: readonly string[];
}

export interface FunctionsOptions {
  /** Where the code of an asset lies. */
  assetPath(objectKey: string): string;
  iam: Iam;
  clock: Clock;
  endpoints: Endpoints;
  /** The URL of S3 in presigned URLs, and for functions. */
  s3Url: string;
  /** Where functions reach the app's public address from inside. */
  selfRoute?: SelfRoute;
  /** Where compiled code of the functions is kept. */
  compileCacheDir?: string | undefined;
  counts: CallCounts;
  /** How many requests the functions of the account may run at once, all together; no limit by default. */
  accountConcurrency?: number | undefined;
  log(line: string): void;
}

/** The Lambda functions of the templates. */
export class Functions {
  readonly #options: FunctionsOptions;
  readonly #byArn = new Map<string, { name: string; running: LocalFunction }>();
  #runningRequests = 0;

  constructor(options: FunctionsOptions) {
    this.#options = options;
  }

  add(resources: Resource[]): void {
    for (const resource of resourcesOfType(resources, 'AWS::Lambda::Function')) {
      const arn = arnOf(resource);
      if (this.#byArn.has(arn)) continue;
      this.#byArn.set(arn, { name: physicalId(resource), running: this.#create(resource, arn) });
    }
  }

  async invoke(nameOrArn: string, event: unknown, onStart?: () => void): Promise<InvokeResult> {
    const found = this.#findAndCount(nameOrArn);
    if (found === undefined) return notFound(nameOrArn);
    const release = this.#reserve();
    return release === undefined ? throttled : found.invoke(event, onStart).finally(release);
  }

  /** Calls a function that streams its response. */
  async stream(nameOrArn: string, event: unknown): Promise<StreamResult> {
    const found = this.#findAndCount(nameOrArn);
    if (found === undefined) return notFound(nameOrArn);
    const release = this.#reserve();
    if (release === undefined) return throttled;
    const result = await found.stream(event);
    if (result.ok) result.body.once('close', release);
    else release();
    return result;
  }

  /** Counts a request against the account's limit; undefined if there is no room. */
  #reserve(): (() => void) | undefined {
    const { accountConcurrency = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#runningRequests >= accountConcurrency) return undefined;
    this.#runningRequests += 1;
    return () => {
      this.#runningRequests -= 1;
    };
  }

  #findAndCount(nameOrArn: string): LocalFunction | undefined {
    const found =
      this.#byArn.get(nameOrArn) ??
      [...this.#byArn.values()].find(({ name }) => name === nameOrArn);
    if (found === undefined) return undefined;
    const { counts } = this.#options;
    counts.add('lambda', found.name);
    counts.add('billed', `MB ${found.name}`, found.running.memoryMb);
    return found.running;
  }

  setClockOffset(offsetMs: number): void {
    for (const { running } of this.#byArn.values()) running.setClockOffset(offsetMs);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#byArn.values()].map(async ({ running }) => running.close()));
  }

  #create(resource: Resource, arn: string): LocalFunction {
    const options = this.#options;
    const properties = parseProperties(resource, Properties);
    const { Code, Handler, Role, Environment, Timeout, MemorySize } = properties;
    const maxConcurrency = properties.ReservedConcurrentExecutions;
    const name = physicalId(resource);
    return createFunction({
      name,
      arn,
      codeDir: options.assetPath(Code.S3Key),
      handler: Handler,
      environment: {
        ...withLocalQueueUrls(Environment.Variables, options.endpoints.sqs),
        ...localResolvers(Environment.Variables, options.endpoints.dnsResolvers),
        ...this.#awsEnvironment(Role, name),
      },
      timeoutSeconds: Timeout,
      memoryMb: MemorySize,
      clock: options.clock,
      ...(options.selfRoute !== undefined && { selfRoute: options.selfRoute }),
      ...(options.compileCacheDir !== undefined && { compileCacheDir: options.compileCacheDir }),
      ...(maxConcurrency !== undefined && { maxConcurrency }),
      log: (line) => options.log(line),
    });
  }

  /** The variables that replace Lambda's environment: credentials of the role, and service URLs. */
  #awsEnvironment(roleArn: string, name: string): Record<string, string> {
    const { iam, endpoints, s3Url } = this.#options;
    const { accessKeyId, secretAccessKey, sessionToken } = iam.sessionFor(roleArn, name);
    return {
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: sessionToken,
      // The warning is about this computer's Node.js, not Lambda's.
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamoDb,
      AWS_ENDPOINT_URL_S3: s3Url,
      AWS_ENDPOINT_URL_CLOUDFRONT: endpoints.cloudFront,
      AWS_ENDPOINT_URL_SES: endpoints.ses,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsManager,
      AWS_ENDPOINT_URL_SQS: endpoints.sqs,
      AWS_ENDPOINT_URL_ACM: endpoints.acm,
    };
  }
}

/** Functions that ask DNS servers get their addresses in a variable. */
function localResolvers(
  variables: Readonly<Record<string, string>>,
  resolvers: readonly string[],
): Record<string, string> {
  return 'DNS_RESOLVERS' in variables ? { DNS_RESOLVERS: resolvers.join(',') } : {};
}

function notFound(nameOrArn: string) {
  const errorMessage = `Function not found: ${nameOrArn}`;
  return { ok: false as const, errorType: 'ResourceNotFoundException', errorMessage };
}

/** The function of an event source mapping. */
export interface MappedFunction {
  arn: string;
  role: string;
  timeoutSeconds: number;
}

const MappedFunctionProperties = z.object({ Role: z.string(), Timeout: z.int().default(3) });

/** Finds the function of a mapping, by name or ARN; a missing one stops the start. */
export function findMappedFunction(
  resources: readonly Resource[],
  functionName: string,
  where: string,
): MappedFunction {
  const target = resourcesOfType(resources, 'AWS::Lambda::Function').find((resource) =>
    arnOf(resource).endsWith(`:${functionName.split(':').at(-1)}`),
  );
  if (target === undefined) throw new StartError(`${where}: there is no function ${functionName}.`);
  const { Role, Timeout } = MappedFunctionProperties.parse(target.properties);
  return { arn: arnOf(target), role: Role, timeoutSeconds: Timeout };
}
