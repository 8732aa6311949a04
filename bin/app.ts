import { errorLine, CommandError } from './command-line.ts';
import { SettingsError } from '../lib/settings.ts';
import { stageOfContext } from '../lib/app.ts';
import { chosenStage } from '../lib/stages/stage-file.ts';
import { stageBundles, synthesizeStage } from './stages/synthesize-stage.ts';

/**
 * What every `cdk` command runs: the stage of `-c stage=prod`, else that of `stages/default.json`, else an
 * example, whose deployment CloudFormation refuses.
 */
try {
  const stage = chosenStage(stageOfContext());
  synthesizeStage(stage, await stageBundles(), process.env['CDK_OUTDIR']);
} catch (error) {
  console.error(errorLine(error, [CommandError, SettingsError, Error]));
  process.exitCode = 1;
}
