import { CommandError, parseOptions } from '../command-line.ts';

/** What to do with a stage. All but `synth` need its name. */
export type StageCommand =
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
