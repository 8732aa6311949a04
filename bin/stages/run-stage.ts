import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkWarnings } from '../../lib/check/check-template.ts';
import { localExample, SettingsError } from '../../lib/settings.ts';
import { stackNames } from '../../lib/stages/stage-name.ts';
import { readDeployableStage, readExamples } from '../../lib/stages/stage-file.ts';
import { bundleFunctions } from '../../scripts/bundle.ts';
import { type DeployedStacks, deployedStacks } from '../../adapters/operator/deployed-stacks.ts';
import { findRemovals } from './removals.ts';
import { stageRegion } from './stage-resources.ts';
import { CommandError, type CommandOutput, errorLine } from '../command-line.ts';
import { stageBundles, synthesizeStage } from './synthesize-stage.ts';
import { parseStageCommand, type StageCommand, stageHelp } from './stage-command.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bundlesDir = path.join(root, '.slipway', 'bundles');

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
  await bundleFunctions(bundlesDir);
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
