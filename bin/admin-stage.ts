import * as z from 'zod';
import { CommandError } from './command-line.ts';
import { parseStageName } from './stages/stage-resources.ts';

/** The secrets that the command `rotate` replaces. A deployment replaces the media key. */
export const SecretName = z.enum(['CodeSecret', 'AccessSecret', 'OriginSecret']);
export type SecretName = z.infer<typeof SecretName>;

/** The environment variable that holds the ARN of each secret. */
export const secretVariables = {
  CodeSecret: 'CODE_SECRET_ARN',
  AccessSecret: 'ACCESS_SECRET_ARN',
  OriginSecret: 'ORIGIN_SECRET_ARN',
} as const satisfies Record<SecretName, string>;

/** Where a command acts: the local cloud that is running, or a deployed stage. */
export type Stage =
  | { kind: 'local'; stateDir: string | undefined }
  | { kind: 'deployed'; names: ResourceNames }
  | { kind: 'stage'; name: string };

/** Names of a stage's resources, by environment variable. */
export type ResourceNames = Partial<Record<ResourceVariable, string>>;

/** The options that name resources of a deployed stage, each with the variable that can replace it. */
export const resourceOptions = {
  table: 'ACCOUNTS_TABLE',
  'projects-table': 'PROJECTS_TABLE',
  'sites-table': 'SITES_TABLE',
  bucket: 'CONTENT_BUCKET',
  tenant: 'SITES_TENANT_ID',
  distributions: 'DISTRIBUTION_IDS',
} as const;

export type ResourceOption = keyof typeof resourceOptions;
export type ResourceVariable =
  | (typeof resourceOptions)[ResourceOption]
  | (typeof secretVariables)[SecretName]
  | 'CODES_TABLE'
  | 'COUNTERS_TABLE'
  | 'BASE_URL'
  | 'SIGN_UP_POLICY';

/**
 * The stage that the options and the environment name; the local cloud if they name none. Options
 * take precedence over the environment.
 * @throws CommandError
 */
export function parseStage(
  options: { [option in ResourceOption | 'state-dir' | 'secret' | 'stage']?: unknown },
  environment: Readonly<Record<string, string | undefined>>,
): Stage {
  const stateDir = stringOrUndefined(options['state-dir']);
  const stage = stringOrUndefined(options.stage);
  if (stage !== undefined) {
    const other = [...Object.keys(resourceOptions), 'secret', 'state-dir'].find(
      (o) => o in options,
    );
    if (other === undefined) return { kind: 'stage', name: parseStageName(stage) };
    throw new CommandError(`--stage knows what --${other} names. Use only one of them.`);
  }
  const names = findResourceNames((option, variable) => {
    const name = stringOrUndefined(options[option]);
    if (name === '') throw new CommandError(`--${option} needs a name.`);
    return name ?? (stateDir === undefined ? environment[variable] : undefined);
  });
  const resourceOption = [...Object.keys(resourceOptions), 'secret'].find(
    (option) => option in options,
  );
  if (resourceOption !== undefined && stateDir !== undefined) {
    throw new CommandError(
      `--${resourceOption} is for a deployed stage and --state-dir for a local one. Use only one of them.`,
    );
  }
  return Object.keys(names).length === 0
    ? { kind: 'local', stateDir }
    : { kind: 'deployed', names };
}

function findResourceNames(
  find: (option: ResourceOption | 'secret', variable: ResourceVariable) => string | undefined,
): ResourceNames {
  const names: ResourceNames = {};
  const optionNames = [
    'table',
    'projects-table',
    'sites-table',
    'bucket',
    'tenant',
    'distributions',
  ] as const;
  const pairs: [ResourceOption | 'secret', ResourceVariable][] = [
    ...optionNames.map((option): [ResourceOption, ResourceVariable] => [
      option,
      resourceOptions[option],
    ]),
    ...Object.values(secretVariables).map((name): ['secret', ResourceVariable] => ['secret', name]),
  ];
  for (const [option, variable] of pairs) {
    const name = find(option, variable);
    if (name !== undefined && name !== '') names[variable] = name;
  }
  return names;
}

function stringOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
