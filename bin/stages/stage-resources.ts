import type { DataOutput, ServiceOutput } from '../../lib/stages/stage-outputs.ts';
import { deployedStacks } from '../../adapters/operator/deployed-stacks.ts';
import { stackNames, StageName } from '../../lib/stages/stage-name.ts';
import { CommandError } from '../command-line.ts';

/** Where a command acts: the local cloud that is running, or a deployed stage. */
export type Stage =
  | { kind: 'local'; stateDir: string | undefined }
  | { kind: 'stage'; name: string };

/** The only region: CloudFront's certificates and tenants are there. */
export const stageRegion = 'us-east-1';

/**
 * The names of a deployed stage's resources. They come from the outputs of its stacks.
 * @throws CommandError when a stack or an output is missing
 */
export async function readStageResources(stage: string) {
  const stacks = deployedStacks({ region: stageRegion });
  const { data, service } = stackNames(stage);
  const read = async (stack: string) => {
    const outputs = await stacks.outputs(stack);
    if (outputs !== undefined) return outputs;
    throw new CommandError(
      `The stack ${stack} does not exist in ${stageRegion} of this AWS account. Check the credentials of the shell, or deploy it: npm run deploy -- --stage ${stage}.`,
    );
  };
  const outputs = { ...(await read(data)), ...(await read(service)) };
  const value = (name: DataOutput | ServiceOutput) => {
    const found = outputs[name];
    if (found !== undefined) return found;
    throw new CommandError(
      `The stage ${stage} has no output ${name}. Deploy it from this commit: npm run deploy -- --stage ${stage}.`,
    );
  };
  return {
    SITES_TABLE: value('SitesTable'),
    PROJECTS_TABLE: value('ProjectsTable'),
    COUNTERS_TABLE: value('CountersTable'),
    CODES_TABLE: value('CodesTable'),
    ACCOUNTS_TABLE: value('AccountsTable'),
    CONTENT_BUCKET: value('ContentBucket'),
    CODE_SECRET_ARN: value('CodeSecretArn'),
    ACCESS_SECRET_ARN: value('AccessSecretArn'),
    ORIGIN_SECRET_ARN: value('OriginSecretArn'),
    BASE_URL: value('AppUrl'),
    SITES_DOMAIN: value('SitesDomain'),
    SIGN_UP_POLICY: value('SignUpPolicy'),
    SITES_TENANT_ID: value('SitesTenant'),
    DISTRIBUTION_IDS: value('Distributions'),
  };
}

/** The value of `--stage`. */
function parseStageName(text: string): string {
  const name = StageName.safeParse(text);
  if (name.success) return name.data;
  throw new CommandError(`--stage ${text} is not the name of a stage, like prod.`);
}

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
