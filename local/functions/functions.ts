import * as z from 'zod';
import { arnOf, ofType, physicalId } from '../assembly/physical-id.ts';
import { REGION } from '../assembly/resource-type.ts';
import type { CallCounts } from '../operator/call-counts.ts';
import type { Clock } from '../time/clock.ts';
import type { Resource } from '../http/http.ts';
import type { Iam } from '../iam/iam.ts';
import { createFunction, type LocalFunction } from '../lambda/create-function.ts';
import type { InvokeResult, StreamResult } from '../lambda/invoke-result.ts';
import { withLocalQueueUrls } from '../sqs/queue-url.ts';
import { StartError } from '../start-error.ts';

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

/** Where functions find the services; the SDK reads these variables by itself. */
export interface Endpoints {
  dynamoDb: string;
  s3: string;
  ses: string;
  cloudFront: string;
  secretsManager: string;
  sqs: string;
}

export interface FunctionsOptions {
  /** Where the code of an asset lies. */
  assetPath(objectKey: string): string;
  iam: Iam;
  clock: Clock;
  endpoints: Endpoints;
  counts: CallCounts;
  log(line: string): void;
}

/** The functions of the templates. */
export class Functions {
  readonly #options: FunctionsOptions;
  readonly #byArn = new Map<string, { name: string; running: LocalFunction }>();

  constructor(options: FunctionsOptions) {
    this.#options = options;
  }

  /** Adds every function that is not there yet. */
  add(resources: Resource[]): void {
    for (const resource of ofType(resources, 'AWS::Lambda::Function')) {
      const arn = arnOf(resource);
      if (this.#byArn.has(arn)) continue;
      this.#byArn.set(arn, { name: physicalId(resource), running: this.#create(resource, arn) });
    }
  }

  /** Calls a function by its name or its ARN. */
  async invoke(nameOrArn: string, event: unknown): Promise<InvokeResult> {
    return this.#called(nameOrArn)?.invoke(event) ?? notFound(nameOrArn);
  }

  /** Calls a function that streams its answer. */
  async stream(nameOrArn: string, event: unknown): Promise<StreamResult> {
    return this.#called(nameOrArn)?.stream(event) ?? notFound(nameOrArn);
  }

  #called(nameOrArn: string): LocalFunction | undefined {
    const found =
      this.#byArn.get(nameOrArn) ??
      [...this.#byArn.values()].find(({ name }) => name === nameOrArn);
    if (found !== undefined) this.#options.counts.add('lambda', found.name);
    return found?.running;
  }

  setClockOffset(offsetMs: number): void {
    for (const { running } of this.#byArn.values()) running.setClockOffset(offsetMs);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#byArn.values()].map(async ({ running }) => running.close()));
  }

  #create(resource: Resource, arn: string): LocalFunction {
    const options = this.#options;
    const parsed = Properties.safeParse(resource.properties);
    if (!parsed.success) {
      throw new StartError(
        `${resource.type} ${resource.logicalId}: ${z.prettifyError(parsed.error)}`,
      );
    }
    const { Code, Handler, Role, Environment, Timeout, MemorySize } = parsed.data;
    const maxConcurrency = parsed.data.ReservedConcurrentExecutions;
    const name = physicalId(resource);
    return createFunction({
      name,
      arn,
      codeDir: options.assetPath(Code.S3Key),
      handler: Handler,
      environment: {
        ...withLocalQueueUrls(Environment.Variables, options.endpoints.sqs),
        ...this.#surroundings(Role, name),
      },
      timeoutSeconds: Timeout,
      memoryMb: MemorySize,
      clock: options.clock,
      ...(maxConcurrency !== undefined && { maxConcurrency }),
      log: (line) => options.log(line),
    });
  }

  /** What Lambda or the network give a deployed function: credentials of its role, and where AWS is. */
  #surroundings(roleArn: string, name: string): Record<string, string> {
    const { iam, endpoints } = this.#options;
    const { accessKeyId, secretAccessKey } = iam.credentialsFor(roleArn, name);
    return {
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      // About this computer's Node.js; deployed functions have their own.
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamoDb,
      AWS_ENDPOINT_URL_S3: endpoints.s3,
      AWS_ENDPOINT_URL_CLOUDFRONT: endpoints.cloudFront,
      AWS_ENDPOINT_URL_SES: endpoints.ses,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsManager,
      AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    };
  }
}

function notFound(nameOrArn: string) {
  const errorMessage = `Function not found: ${nameOrArn}`;
  return { ok: false as const, errorType: 'ResourceNotFoundException', errorMessage };
}
