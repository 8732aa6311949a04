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
  | { kind: 'stage'; name: string };

/** Names of a stage's resources, by environment variable. */
export type ResourceNames = Partial<Record<ResourceVariable, string>>;

export type ResourceVariable =
  | (typeof secretVariables)[SecretName]
  | 'ACCOUNTS_TABLE'
  | 'BASE_URL'
  | 'CODES_TABLE'
  | 'CONTENT_BUCKET'
  | 'COUNTERS_TABLE'
  | 'DISTRIBUTION_IDS'
  | 'PROJECTS_TABLE'
  | 'SIGN_UP_POLICY'
  | 'SITES_TABLE'
  | 'SITES_TENANT_ID';

/**
 * The stage that the options name; the local cloud if they name none.
 * @throws CommandError
 */
export function parseStage(
  options: { [option in 'state-dir' | 'stage']?: string | undefined },
): Stage {
  const { stage, 'state-dir': stateDir } = options;
  if (stage === undefined) return { kind: 'local', stateDir };
  if (stateDir === undefined) return { kind: 'stage', name: parseStageName(stage) };
  throw new CommandError('--stage is deployed, and --state-dir is local. Use only one of them.');
}
