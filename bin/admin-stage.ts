import * as z from 'zod';

/** The secrets that a command replaces. The key of media links is replaced by a deployment. */
export const SecretName = z.enum(['CodeSecret', 'AccessSecret', 'OriginSecret']);
export type SecretName = z.infer<typeof SecretName>;

/** The variable in which functions get the ARN of each secret. */
export const secretVariables = {
  CodeSecret: 'CODE_SECRET_ARN',
  AccessSecret: 'ACCESS_SECRET_ARN',
  OriginSecret: 'ORIGIN_SECRET_ARN',
} as const satisfies Record<SecretName, string>;

/** What runs: a local cloud that is up, or resources in AWS. */
export type Stage =
  | { kind: 'local'; stateDir: string | undefined }
  | { kind: 'deployed'; names: DeployedNames };

/** Names of what a command may need, by the variable that functions get them in. */
export type DeployedNames = Partial<Record<NameVariable, string>>;

/** The options that name resources of a deployed stage, and the variables that do so otherwise. */
export const nameOptions = {
  table: 'ACCOUNTS_TABLE',
  'projects-table': 'PROJECTS_TABLE',
  'sites-table': 'SITES_TABLE',
  tenant: 'SITES_TENANT_ID',
  distributions: 'DISTRIBUTION_IDS',
} as const;

export type NameOption = keyof typeof nameOptions;
export type NameVariable = (typeof nameOptions)[NameOption] | (typeof secretVariables)[SecretName];

/** A command that cannot be run, in one line that says why. */
export class AdminError extends Error {
  override name = 'AdminError';
}

/**
 * The stage that a command line and the shell's environment name; without a word it is the local
 * cloud. What is said on the command line goes before what a shell still has from before.
 * @throws AdminError
 */
export function stageOf(
  said: { [option in NameOption | 'state-dir' | 'secret']?: unknown },
  environment: Readonly<Record<string, string | undefined>>,
): Stage {
  const stateDir = textOf(said['state-dir']);
  const names = namesOf((option, variable) => {
    const name = textOf(said[option]);
    if (name === '') throw new AdminError(`--${option} needs a name.`);
    return name ?? (stateDir === undefined ? environment[variable] : undefined);
  });
  const isSaid = [...Object.keys(nameOptions), 'secret'].find((option) => option in said);
  if (isSaid !== undefined && stateDir !== undefined) {
    throw new AdminError(
      `--${isSaid} is for a deployed stage, --state-dir for a local one. Use one.`,
    );
  }
  return Object.keys(names).length === 0
    ? { kind: 'local', stateDir }
    : { kind: 'deployed', names };
}

function namesOf(
  find: (option: NameOption | 'secret', variable: NameVariable) => string | undefined,
): DeployedNames {
  const names: DeployedNames = {};
  const options = ['table', 'projects-table', 'sites-table', 'tenant', 'distributions'] as const;
  const pairs: [NameOption | 'secret', NameVariable][] = [
    ...options.map((option): [NameOption, NameVariable] => [option, nameOptions[option]]),
    ...Object.values(secretVariables).map((name): ['secret', NameVariable] => ['secret', name]),
  ];
  for (const [option, variable] of pairs) {
    const name = find(option, variable);
    if (name !== undefined && name !== '') names[variable] = name;
  }
  return names;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
