import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import type { Resource } from '../http.ts';
import { accessKeyIdOf } from '../iam/credential.ts';
import type { Iam } from '../iam/iam.ts';
import { type ServiceAnswer, type ServiceRequest, startServiceServer } from '../service-server.ts';
import { StartError } from '../start-error.ts';
import { type StateFile, stateFile } from '../state-file.ts';
import { GenerateSecretString, generateSecret } from './generate-secret.ts';

const Version = z.object({ value: z.string(), versionId: z.string(), createdAt: z.string() });
const Secrets = z.record(z.string(), Version);
type Version = z.infer<typeof Version>;

export interface SecretsOptions {
  stateDir: string;
  clock: Clock;
  iam: Iam;
  /** Every `AWS::SecretsManager::Secret` with its ARN. */
  secrets: { resource: Resource; arn: string }[];
}

/** Secrets Manager, for the secrets of the templates. */
export interface LocalSecrets {
  url: string;
  /** The current value, for references in the templates; throws for a secret that is not there. */
  value(id: string): string;
  close(): Promise<void>;
}

const Properties = z.object({
  SecretString: z.string().optional(),
  GenerateSecretString: GenerateSecretString.optional(),
});

const Input = z.object({
  SecretId: z.string(),
  SecretString: z.string().optional(),
  ClientRequestToken: z.string().optional(),
  VersionStage: z.literal('AWSCURRENT').optional(),
});
type Input = z.infer<typeof Input>;

class SecretsError extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

/** `…:secret:<name>-<six characters>` */
function nameOf(arn: string): string {
  return (arn.split(':secret:').at(-1) ?? arn).replace(/-[^-]{6}$/, '');
}

function firstValue(resource: Resource): string {
  const parsed = Properties.safeParse(resource.properties);
  if (!parsed.success) {
    throw new StartError(
      `${resource.type} ${resource.logicalId}: ${z.prettifyError(parsed.error)}`,
    );
  }
  const { SecretString, GenerateSecretString: generate } = parsed.data;
  return SecretString ?? generateSecret(generate ?? GenerateSecretString.parse({}));
}

type Operation = (arn: string, input: Input) => Record<string, unknown>;

function operations(
  store: StateFile<Record<string, Version>>,
  clock: Clock,
): Record<string, Operation> {
  const current = (arn: string): Version => {
    const version = store.read()[arn];
    if (version !== undefined) return version;
    throw new SecretsError(
      'ResourceNotFoundException',
      "Secrets Manager can't find the specified secret.",
    );
  };
  return {
    GetSecretValue(arn) {
      const { value, versionId, createdAt } = current(arn);
      return {
        ARN: arn,
        Name: nameOf(arn),
        VersionId: versionId,
        SecretString: value,
        VersionStages: ['AWSCURRENT'],
        CreatedDate: Date.parse(createdAt) / 1000,
      };
    },
    PutSecretValue(arn, { SecretString, ClientRequestToken }) {
      current(arn);
      if (SecretString === undefined) {
        throw new SecretsError('InvalidParameterException', 'You must provide SecretString.');
      }
      const versionId = ClientRequestToken ?? randomUUID();
      const version = { value: SecretString, versionId, createdAt: clock.now().toISOString() };
      store.write({ ...store.read(), [arn]: version });
      return { ARN: arn, Name: nameOf(arn), VersionId: versionId, VersionStages: ['AWSCURRENT'] };
    },
    DescribeSecret(arn) {
      const { versionId, createdAt } = current(arn);
      return {
        ARN: arn,
        Name: nameOf(arn),
        CreatedDate: Date.parse(createdAt) / 1000,
        VersionIdsToStages: { [versionId]: ['AWSCURRENT'] },
      };
    },
  };
}

function json(status: number, body: unknown): ServiceAnswer {
  return {
    status,
    headers: { 'content-type': 'application/x-amz-json-1.1' },
    body: JSON.stringify(body),
  };
}

interface Served {
  iam: Iam;
  known: Record<string, Operation>;
  arnOf(id: string): string;
}

function answer(served: Served, { headers, body }: ServiceRequest): unknown {
  const { iam, known } = served;
  const name = headers['x-amz-target']?.split('.').at(-1) ?? '';
  const operation = known[name];
  const accessKeyId = accessKeyIdOf(headers['authorization']) ?? '';
  if (iam.secretFor(accessKeyId) === undefined) {
    throw new SecretsError(
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    );
  }
  if (operation === undefined) {
    throw new SecretsError(
      'UnknownOperationException',
      'The local Secrets Manager has no such operation.',
    );
  }
  const input = Input.safeParse(JSON.parse(body.toString('utf8')));
  if (!input.success) throw new SecretsError('ValidationException', z.prettifyError(input.error));
  const arn = served.arnOf(input.data.SecretId);
  const action = `secretsmanager:${name}`;
  if (!iam.allows({ accessKeyId, action, resource: arn })) {
    throw new SecretsError(
      'AccessDeniedException',
      `User: ${iam.callerArn(accessKeyId)} is not authorized to perform: ${action} on resource: ${arn} because no identity-based policy allows the ${action} action`,
    );
  }
  return operation(arn, input.data);
}

/** Starts Secrets Manager. A secret gets its value at the first start and keeps it. */
export async function startSecrets(options: SecretsOptions): Promise<LocalSecrets> {
  const { stateDir, clock, iam, secrets } = options;
  const store = stateFile(join(stateDir, 'secrets.json'), Secrets, {});
  for (const { resource, arn } of secrets) {
    if (store.read()[arn] !== undefined) continue;
    const createdAt = clock.now().toISOString();
    const version = { value: firstValue(resource), versionId: randomUUID(), createdAt };
    store.write({ ...store.read(), [arn]: version });
  }
  const arns = secrets.map(({ arn }) => arn);
  const arnOf = (id: string) => arns.find((arn) => arn === id || nameOf(arn) === id) ?? id;
  const served = { iam, known: operations(store, clock), arnOf };
  const server = await startServiceServer(async (request) => {
    try {
      return json(200, answer(served, request));
    } catch (error) {
      if (!(error instanceof SecretsError)) throw error;
      return json(400, { __type: error.type, message: error.message });
    }
  });
  return {
    ...server,
    value(id) {
      const found = store.read()[arnOf(id)];
      if (found === undefined) throw new StartError(`There is no secret ${id}.`);
      return found.value;
    },
  };
}
