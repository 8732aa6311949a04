import { randomInt, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../time/clock.ts';
import type { Iam } from '../iam/iam.ts';
import type { ServiceAnswer } from '../http/service-server.ts';
import {
  awsJson,
  jsonAnswer,
  jsonBody,
  type SignedCall,
  startSignedService,
  targetOf,
} from '../signatures/signed-service.ts';
import { StartError, ServiceError } from '../errors.ts';
import { type StateFile, stateFile } from '../state/state-file.ts';
import {
  putVersion,
  type SecretVersion,
  SecretVersions,
  updateStage,
  versionAt,
} from './secret-versions.ts';
import { parseProperties, type Resource } from '../assembly/resource.ts';

/** `GenerateSecretString` of an `AWS::SecretsManager::Secret`. */
export const GenerateSecretString = z.strictObject({
  PasswordLength: z.int().min(1).max(4096).default(32),
  ExcludePunctuation: z.boolean().default(false),
});
type GenerateSecretString = z.infer<typeof GenerateSecretString>;

const GROUPS = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'];
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** Generates a secret, with at least one character of each group that fits. */
export function generateSecret(options: GenerateSecretString): string {
  const groups = options.ExcludePunctuation ? GROUPS : [...GROUPS, PUNCTUATION];
  const all = groups.join('');
  for (;;) {
    const pick = () => all.charAt(randomInt(all.length));
    const text = Array.from({ length: options.PasswordLength }, pick).join('');
    const hasEach = groups.every((letters) => letters.split('').some((one) => text.includes(one)));
    if (hasEach || text.length < groups.length) return text;
  }
}

const Secrets = z.record(z.string(), SecretVersions);

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
  /** The value at a label, the current one by default, for references in the templates; throws if there is none. */
  value(id: string, stage?: string): string;
  close(): Promise<void>;
}

const Properties = z.object({
  SecretString: z.string().optional(),
  GenerateSecretString: GenerateSecretString.optional(),
});

const Input = z.strictObject({
  SecretId: z.string(),
  SecretString: z.string().min(1).max(65_536).optional(),
  ClientRequestToken: z.string().min(32).max(64).optional(),
  VersionId: z.string().optional(),
  VersionStage: z.string().optional(),
  VersionStages: z.array(z.string()).min(1).max(20).optional(),
  MoveToVersionId: z.string().optional(),
  RemoveFromVersionId: z.string().optional(),
});
type Input = z.infer<typeof Input>;

/** `…:secret:<name>-<six characters>` */
function nameOf(arn: string): string {
  return (arn.split(':secret:').at(-1) ?? arn).replace(/-[^-]{6}$/, '');
}

function initialValue(resource: Resource): string {
  const properties = parseProperties(resource, Properties);
  const { SecretString, GenerateSecretString: generate } = properties;
  return SecretString ?? generateSecret(generate ?? GenerateSecretString.parse({}));
}

type Operation = (arn: string, input: Input) => Record<string, unknown>;

type Store = StateFile<Record<string, SecretVersions>>;

function operations(store: Store, clock: Clock): Record<string, Operation> {
  const versionsOf = (arn: string): SecretVersions => {
    const versions = store.read()[arn];
    if (versions !== undefined) return versions;
    throw new ServiceError(
      'ResourceNotFoundException',
      "Secrets Manager can't find the specified secret.",
    );
  };
  const change = (arn: string, versions: SecretVersions) =>
    // A version without a label is deprecated, and AWS may delete it any time.
    store.write({ ...store.read(), [arn]: versions.filter(({ stages }) => stages.length > 0) });
  return {
    GetSecretValue(arn, { VersionId, VersionStage = 'AWSCURRENT' }) {
      if (VersionId !== undefined)
        throw new ServiceError('InvalidRequestException', 'Only VersionStage is supported.');
      return { ...secretValueOf(arn, versionAt(versionsOf(arn), VersionStage)), ARN: arn };
    },
    PutSecretValue(arn, input) {
      const { SecretString: value, VersionStages: stages = ['AWSCURRENT'] } = input;
      if (value === undefined) {
        throw new ServiceError('InvalidParameterException', 'You must provide SecretString.');
      }
      const versionId = input.ClientRequestToken ?? randomUUID();
      const added = { value, versionId, createdAt: clock.now().toISOString(), stages };
      change(arn, putVersion(versionsOf(arn), added));
      return { ARN: arn, Name: nameOf(arn), VersionId: versionId, VersionStages: stages };
    },
    UpdateSecretVersionStage(arn, { VersionStage, RemoveFromVersionId, MoveToVersionId }) {
      if (VersionStage === undefined) {
        throw new ServiceError('InvalidParameterException', 'You must provide VersionStage.');
      }
      const move = { stage: VersionStage, from: RemoveFromVersionId, to: MoveToVersionId };
      change(arn, updateStage(versionsOf(arn), move));
      return { ARN: arn, Name: nameOf(arn) };
    },
  };
}

function secretValueOf(arn: string, { value, versionId, createdAt, stages }: SecretVersion) {
  return {
    Name: nameOf(arn),
    VersionId: versionId,
    SecretString: value,
    VersionStages: stages,
    CreatedDate: Date.parse(createdAt) / 1000,
  };
}

/** A request without a label reads the current value, but a condition on labels does not see that. */
function contextOf({ VersionStage }: Input): Record<string, string> {
  return VersionStage === undefined ? {} : { 'secretsmanager:versionstage': VersionStage };
}

interface SecretsDeps {
  byName: Record<string, Operation>;
  arnOf: (id: string) => string;
}

function answer({ byName, arnOf }: SecretsDeps, call: SignedCall): ServiceAnswer {
  const name = targetOf(call);
  const operation = byName[name];
  if (operation === undefined) {
    throw new ServiceError(
      'UnknownOperationException',
      'The local Secrets Manager does not support this operation.',
    );
  }
  const input = Input.safeParse(jsonBody(call));
  if (!input.success) throw new ServiceError('ValidationException', z.prettifyError(input.error));
  const arn = arnOf(input.data.SecretId);
  call.requirePermission(`secretsmanager:${name}`, arn, contextOf(input.data));
  return jsonAnswer(operation(arn, input.data));
}

/** Starts Secrets Manager. A secret gets its value at the first start. */
export async function startSecrets(options: SecretsOptions): Promise<LocalSecrets> {
  const { stateDir, clock, secrets } = options;
  const store = stateFile(join(stateDir, 'secrets.json'), Secrets, {});
  for (const { resource, arn } of secrets) {
    if (store.read()[arn] !== undefined) continue;
    const createdAt = clock.now().toISOString();
    const stages = ['AWSCURRENT'];
    const version = { value: initialValue(resource), versionId: randomUUID(), createdAt, stages };
    store.write({ ...store.read(), [arn]: [version] });
  }
  const arns = secrets.map(({ arn }) => arn);
  const arnOf = (id: string) => arns.find((arn) => arn === id || nameOf(arn) === id) ?? id;
  const deps = { byName: operations(store, clock), arnOf };
  const kind = { service: 'secretsmanager', protocol: awsJson };
  const server = await startSignedService(options, kind, (call) => answer(deps, call));
  return {
    ...server,
    value(id, stage = 'AWSCURRENT') {
      const found = store.read()[arnOf(id)];
      if (found === undefined) throw new StartError(`There is no secret ${id}.`);
      return versionAt(found, stage).value;
    },
  };
}
