import { CommandError, parseOptions } from '../command-line.ts';
import { accountDiagnoses } from './account-diagnoses.ts';
import { certificateDiagnoses } from './certificate-diagnoses.ts';
import { contentDiagnoses } from './content-diagnoses.ts';
import { mailDiagnoses } from './mail-diagnoses.ts';
import { nameDiagnoses } from './name-diagnoses.ts';
import { quotaDiagnoses } from './account-diagnoses.ts';
import { zoneDiagnoses } from './zone-diagnoses.ts';

/** All questions, in the order of a deployment. The credentials come before them. */
export const diagnoses = [
  ...accountDiagnoses,
  ...quotaDiagnoses,
  ...zoneDiagnoses,
  ...certificateDiagnoses,
  ...mailDiagnoses,
  ...nameDiagnoses,
  ...contentDiagnoses,
] as const;

export type DoctorCommand =
  | { kind: 'help' }
  | { kind: 'doctor'; stage: string; dnsServers: readonly string[]; json: boolean };

/** Resolvers that answer from everywhere, of two operators. */
const publicResolvers = '1.1.1.1,8.8.8.8';

const actions = [...new Set(diagnoses.flatMap((diagnosis) => diagnosis.actions))].toSorted();

/** The text of `--help`. */
export const doctorHelp = `Tells what an AWS account and a stage lack, and what to do. It only reads.

  npm run doctor -- --stage <name>

  --stage <name>          the stage of stages/NAME.json
  --dns-servers <list>    DNS servers to ask, with commas between them (${publicResolvers})
  --json                  one JSON document instead of lines
  --help                  this text

The AWS credentials come from the shell. Besides sts:GetCallerIdentity, which everybody may call,
they need:

${actions.map((action) => `  ${action}`).join('\n')}

The exit code is 1 if there is a problem.
`;

const options = {
  stage: { type: 'string' },
  'dns-servers': { type: 'string', default: publicResolvers },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean' },
} as const;

const seeHelp = 'npm run doctor -- --help lists the options.';

/**
 * Reads a command line.
 * @throws CommandError
 */
export function parseDoctorCommand(args: readonly string[]): DoctorCommand {
  const { values } = parseOptions({ args: [...args], options }, seeHelp);
  if (values.help === true || args.length === 0) return { kind: 'help' };
  const { stage, json } = values;
  if (stage === undefined) {
    throw new CommandError(`Name the stage: npm run doctor -- --stage prod. ${seeHelp}`);
  }
  return { kind: 'doctor', stage, json, dnsServers: values['dns-servers'].split(',') };
}
