import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { checkWarnings } from '../../lib/check/check-template.ts';
import { localExample, SettingsError } from '../../lib/settings.ts';
import { stackNames } from '../../lib/stages/stage-name.ts';
import { readDeployableStage, readExamples } from '../../lib/stages/stage-file.ts';
import { type DeployedStacks, deployedStacks } from '../../adapters/operator/deployed-stacks.ts';
import { stageRegion } from './stage-resources.ts';
import { CommandError, type CommandOutput, errorLine, parseOptions } from '../command-line.ts';
import { stageBundles, synthesizeStage } from './synthesize-stage.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs `synth`, `deploy`, `diff` or `destroy`.
 * @param args the verb and what follows `npm run <verb> --`
 * @returns the exit code
 */
export async function runStage(args: readonly string[], output: CommandOutput): Promise<number> {
  try {
    return await runCommand(parseStageCommand(args), output);
  } catch (error) {
    output.printError(errorLine(error, [CommandError, SettingsError, Error]));
    return 1;
  }
}

async function runCommand(command: StageCommand, output: CommandOutput): Promise<number> {
  if (command.kind === 'help') {
    output.print(stageHelp);
    return 0;
  }
  if (command.kind === 'synth') return synthesize(command.stage, output);
  const stage = readDeployableStage(command.stage);
  const assembly = synthesizeStage(stage, await stageBundles());
  if (command.kind === 'deploy')
    await refuseFailedStack(deployedStacks({ region: stageRegion }), stackNames(stage.name).data);
  if (command.kind === 'deploy' && !command.allowsRemoval) await refuseRemovals(assembly);
  // Data is removed by hand only (docs/teardown.md).
  const scope = command.kind === 'destroy' ? stackNames(stage.name).service : '--all';
  return runCdk([command.kind, scope, '--app', assembly.directory, ...command.cdkArguments]);
}

/**
 * Stops before CloudFormation would: the CDK deletes a stack whose first deployment failed, which the
 * protection of the data stack refuses.
 * @throws CommandError with the two commands that help
 */
export async function refuseFailedStack(
  deployed: Pick<DeployedStacks, 'status'>,
  name: string,
): Promise<void> {
  if ((await deployed.status(name)) !== 'ROLLBACK_COMPLETE') return;
  const aws = (command: string) =>
    `  aws cloudformation ${command} --region ${stageRegion} --stack-name ${name}`;
  throw new CommandError(
    `The first deployment of ${name} failed, and its stack holds no data. Remove it, then deploy again (docs/deploy.md, step 6):\n${aws('update-termination-protection --no-enable-termination-protection')}\n${aws('delete-stack')}`,
  );
}

/**
 * Compares with what is deployed, because a settings file may have lost a line since.
 * @throws CommandError that names everything that would be removed
 */
async function refuseRemovals({ stacks }: ReturnType<typeof synthesizeStage>): Promise<void> {
  const deployed = deployedStacks({ region: stageRegion });
  const removals: string[] = [];
  for (const { stackName, template } of stacks) {
    const text = await deployed.template(stackName);
    if (text === undefined) continue;
    removals.push(...findRemovals(text, template).map((line) => `- ${stackName}/${line}.`));
  }
  if (removals.length === 0) return;
  throw new CommandError(
    `This deployment would take something away:\n${removals.join('\n')}\nNothing was changed. If you want that, add --allow-removal. Tables, buckets and secrets stay in your account, without being used.`,
  );
}

async function synthesize(name: string | undefined, output: CommandOutput): Promise<number> {
  const chosen = name === undefined ? undefined : readDeployableStage(name);
  if (chosen !== undefined) {
    const { directory } = synthesizeStage(chosen, await stageBundles());
    output.print(`Templates of ${chosen.name}: ${directory}`);
    return 0;
  }
  const bundlesDir = await stageBundles();
  for (const stage of [{ name: 'local', settings: localExample }, ...readExamples()]) {
    const assembly = synthesizeStage(stage, bundlesDir);
    checkWarnings(assembly);
    output.print(`${stage.name}: ${assembly.stacks.length} stacks, without a warning`);
  }
  return 0;
}

/** Runs the CDK's command on templates that are synthesized already. */
async function runCdk(args: readonly string[]): Promise<number> {
  const cdk = path.join(root, 'node_modules', '.bin', 'cdk');
  const child = spawn(cdk, args, { cwd: root, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** What to do with a stage. All but `synth` need its name. */
type StageCommand =
  | { kind: 'help' }
  | { kind: 'synth'; stage: string | undefined }
  | {
      kind: 'deploy' | 'diff' | 'destroy';
      stage: string;
      allowsRemoval: boolean;
      cdkArguments: readonly string[];
    };

/** The text of `--help`. */
export const stageHelp = `Synthesizes, deploys and removes a stage. Its settings are in stages/NAME.json.

  npm run deploy -- --stage <name>     deploys it, with the AWS credentials of the shell
  npm run diff -- --stage <name>       shows what a deployment would change
  npm run destroy -- --stage <name>    removes what runs; data stays (docs/teardown.md)
  npm run synth -- --stage <name>      writes its templates to cdk.out/<name>
  npm run synth                        synthesizes the local cloud and all examples in stages/, strictly

  --allow-removal      lets deploy remove or replace a table, a bucket, a secret, a distribution, the
                       tenant or the address of the sites, an identity of mail, a DNS record, the
                       firewall, or a name at which they answer
  -- <arguments>       what follows is handed to the CDK: npm run deploy -- --stage prod -- --require-approval never
  --help               this text
`;

const options = {
  stage: { type: 'string' },
  'allow-removal': { type: 'boolean', default: false },
  help: { type: 'boolean' },
} as const;

const seeHelp = 'npm run deploy -- --help lists the options.';

/**
 * Reads a command line: the verb, its options, and after `--` what the CDK gets.
 * @throws CommandError
 */
export function parseStageCommand(args: readonly string[]): StageCommand {
  const [verb = '', ...others] = args;
  const separator = others.includes('--') ? others.indexOf('--') : others.length;
  const { values } = parseOptions({ args: others.slice(0, separator), options }, seeHelp);
  const cdkArguments = others.slice(separator + 1);
  if (values.help === true) return { kind: 'help' };
  const { stage } = values;
  if (verb === 'synth') return { kind: 'synth', stage };
  if (verb !== 'deploy' && verb !== 'diff' && verb !== 'destroy') return { kind: 'help' };
  if (stage === undefined) {
    throw new CommandError(`Name the stage: npm run ${verb} -- --stage prod. ${seeHelp}`);
  }
  return { kind: verb, stage, allowsRemoval: values['allow-removal'], cdkArguments };
}

const Resource = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
});
const Template = z.object({ Resources: z.record(z.string(), Resource) });
type Resource = z.infer<typeof Resource>;

/** Resources whose removal ends the product or parts it from its data, with the words for a person. */
const guarded: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'a table',
  'AWS::S3::Bucket': 'a bucket',
  'AWS::SecretsManager::Secret': 'a secret',
  'AWS::CloudFront::Distribution': 'a distribution',
  'AWS::CloudFront::DistributionTenant': 'the tenant of the sites',
  'AWS::CloudFront::ConnectionGroup': 'the address of the sites',
  'AWS::SES::EmailIdentity': 'an identity of mail',
  'AWS::Route53::RecordSet': 'a DNS record',
  'AWS::WAFv2::WebACL': 'the firewall',
};

/** Properties whose change makes CloudFormation create another, empty resource. */
const identifying = ['KeySchema', 'TableName', 'BucketName', 'Name', 'EmailIdentity'];

/**
 * What a deployment would take away: guarded resources that the next template does not have or would
 * replace, and names at which distributions and tenants answer. One line each.
 */
export function findRemovals(deployedText: string, nextTemplate: unknown): string[] {
  const deployed = Template.parse(JSON.parse(deployedText)).Resources;
  const next = Template.parse(nextTemplate).Resources;
  return Object.entries(deployed).flatMap(([id, resource]) => {
    const kind = guarded[resource.Type];
    if (kind === undefined) return [];
    const successor = next[id];
    if (successor?.Type !== resource.Type) return [`${id}: ${kind} would be removed`];
    const changed = identifying.find((name) => !isSame(resource, successor, name));
    if (changed !== undefined) return [`${id}: ${kind} would be replaced (${changed} changes)`];
    const names = namesOf(successor);
    return namesOf(resource)
      .filter((name) => !names.includes(name))
      .map((name) => `${id}: ${kind} would stop answering for ${name}`);
  });
}

function isSame(one: Resource, other: Resource, name: string): boolean {
  return JSON.stringify(one.Properties[name]) === JSON.stringify(other.Properties[name]);
}

const Names = z.object({
  Domains: z.array(z.unknown()).default([]),
  DistributionConfig: z.object({ Aliases: z.array(z.unknown()).default([]) }).optional(),
});

/** The domains of a tenant and the aliases of a distribution. */
function namesOf({ Properties }: Resource): string[] {
  const { data } = Names.safeParse(Properties);
  return [...(data?.Domains ?? []), ...(data?.DistributionConfig?.Aliases ?? [])].map((name) =>
    typeof name === 'string' ? name : JSON.stringify(name),
  );
}
