import { accountState } from '../../adapters/operator/account-state.ts';
import { certificateReader } from '../../adapters/operator/certificate-state.ts';
import { deployedStacks } from '../../adapters/operator/deployed-stacks.ts';
import { edgeAddresses } from '../../adapters/operator/edge-addresses.ts';
import { mailState } from '../../adapters/operator/mail-state.ts';
import { readLedger } from '../../adapters/dynamodb/domains/certificate-rows.ts';
import {
  type OperatorReach,
  operatorClient,
  operatorStorage,
} from '../../adapters/operator/operator-client.ts';
import { sharedQuotas } from '../../adapters/operator/shared-quotas.ts';
import { servedSites } from '../../adapters/operator/served-sites.ts';
import { zoneReader } from '../../adapters/operator/zone-state.ts';
import { contentBucket } from '../../adapters/s3/content-bucket.ts';
import { requestsOfYear } from '../../core/domains/certificate-budget.ts';
import { SettingsError } from '../../lib/settings.ts';
import { readStage, type Stage } from '../../lib/stages/stage-file.ts';
import { stackNames } from '../../lib/stages/stage-name.ts';
import { CommandError, type CommandOutput, errorLine } from '../command-line.ts';
import {
  type Diagnosis,
  type DoctorDeps,
  type Finding,
  ok,
  problem,
  unknown,
} from './diagnosis.ts';
import { diagnoses, doctorHelp, parseDoctorCommand } from './doctor-command.ts';
import { nameRecords } from './name-records.ts';

/**
 * Runs the doctor.
 * @param args what follows `npm run doctor --`
 * @returns the exit code: 1 if there is a problem
 */
export async function runDoctor(
  args: readonly string[],
  _: Readonly<Record<string, string | undefined>>,
  output: CommandOutput,
): Promise<number> {
  try {
    const command = parseDoctorCommand(args);
    if (command.kind === 'help') {
      output.print(doctorHelp);
      return 0;
    }
    const stage = readStage(command.stage);
    const reach = { region: 'us-east-1' };
    const findings = await examine(doctorDeps(reach, stage, command.dnsServers));
    output.print(command.json ? JSON.stringify(findings, undefined, 2) : formatFindings(findings));
    return findings.some(({ state }) => state === 'problem') ? 1 : 0;
  } catch (error) {
    output.printError(errorLine(error, [CommandError, SettingsError]));
    return 1;
  }
}

/** What the diagnoses read, from AWS or from another endpoint. */
export function doctorDeps(
  reach: OperatorReach,
  { name, settings }: Stage,
  dnsServers: readonly string[],
): DoctorDeps {
  const dataOutputs = () => deployedStacks(reach).outputs(stackNames(name).data);
  return {
    account: accountState(reach),
    readCertificate: certificateReader(reach),
    mail: mailState(reach),
    certificatesOfYear: async () => {
      const outputs = await dataOutputs();
      const table = outputs?.['ProjectsTable'];
      if (table === undefined) return undefined;
      return requestsOfYear(await readLedger(operatorClient(reach), table), new Date());
    },
    servedSites: async () => {
      const { SitesTable: table, ContentBucket: bucket } = (await dataOutputs()) ?? {};
      if (table === undefined || bucket === undefined) return undefined;
      const content = contentBucket(bucket, operatorStorage(reach));
      return { pages: servedSites(operatorClient(reach), table), content };
    },
    isDeployed: async () =>
      (await deployedStacks(reach).outputs(stackNames(name).service)) !== undefined,
    edge: edgeAddresses(reach),
    zones: zoneReader(reach),
    sharedQuotas: sharedQuotas(reach),
    nodeVersion: process.versions.node,
    names: nameRecords(dnsServers),
    settings,
    now: () => new Date(),
  };
}

export interface NamedFinding extends Finding {
  name: string;
}

/** Runs all diagnoses; without credentials none. */
export async function examine(deps: DoctorDeps): Promise<NamedFinding[]> {
  const credentials = await credentialsFinding(deps);
  const findings: NamedFinding[] = [{ name: 'credentials', ...credentials }];
  if (credentials.state !== 'ok') return findings;
  for (const diagnosis of diagnoses) {
    const found = await diagnosis
      .run(deps)
      .catch((error: unknown) => [unreadable(diagnosis, error)]);
    findings.push(...found.map((finding) => ({ name: diagnosis.name, ...finding })));
  }
  return findings;
}

async function credentialsFinding({ account }: DoctorDeps): Promise<Finding> {
  try {
    const { account: id, arn } = await account.identity();
    return ok(`These are credentials of the AWS account ${id}: ${arn}`);
  } catch (error) {
    return problem(
      `AWS accepts no credentials of this shell: ${errorLine(error, [])}`,
      'Sign in (aws sso login) or set AWS_PROFILE, then run this again.',
    );
  }
}

function unreadable({ name, actions }: Diagnosis, error: unknown): Finding {
  return unknown(
    `${name} could not be read: ${errorLine(error, [])}`,
    `If access was denied, allow ${actions.join(', ')}.`,
  );
}

const indent = ' '.repeat(9);

function formatFindings(findings: readonly NamedFinding[]): string {
  return findings
    .map(({ name, state, fact, advice }) => {
      const line = `${state.padEnd(indent.length)}${name}: ${fact}`;
      return advice === undefined ? line : `${line}\n${indent}${advice}`;
    })
    .join('\n');
}
