import { domainToASCII } from 'node:url';
import * as z from 'zod';
import { AccountId, EmailAddress, ProjectId, Slug, Tier } from '../contract/fields.ts';
import { SecretName } from './admin-names.ts';
import { CommandError } from './command-line.ts';

/** How every message about a wrong command line ends. */
export const seeHelp = 'npm run admin -- --help lists the commands.';

export function requireOperands(
  operands: readonly string[],
  names: readonly string[],
): readonly string[] {
  const missing = names[operands.length];
  if (missing !== undefined) throw new CommandError(`${missing} is missing. ${seeHelp}`);
  const extra = operands[names.length];
  if (extra !== undefined) throw new CommandError(`Unexpected argument: ${extra}. ${seeHelp}`);
  return operands;
}

export function emailOperand(operands: readonly string[]): string {
  const [email] = requireOperands(operands, ['<email>']);
  return parseEmail(email);
}

export function accountOperand(operands: readonly string[]): string {
  const [account = ''] = requireOperands(operands, ['<account>']);
  return AccountId.safeParse(account.toLowerCase()).data ?? parseEmail(account);
}

/** The name of a custom domain in ASCII, as DNS has it. @throws CommandError */
export function domainOperand(operands: readonly string[]): string {
  const [domain = ''] = requireOperands(operands, ['<domain> or --all']);
  const name = domainToASCII(domain.trim().replace(/\.$/, ''));
  if (name === '') throw new CommandError(`${domain} is not a domain. ${seeHelp}`);
  return name;
}

export function noOperand(operands: readonly string[]): undefined {
  requireOperands(operands, []);
}

export function parseEmail(text = ''): string {
  const email = EmailAddress.safeParse(text);
  if (!email.success) throw new CommandError(`${text} is not an e-mail address.`);
  return email.data;
}

export function parseTier(text = ''): Tier {
  const tier = Tier.safeParse(text);
  if (!tier.success)
    throw new CommandError(`${text} is not a plan. Use ${Tier.options.join(', ')}.`);
  return tier.data;
}

export function parseReason(text = ''): string {
  const reason = text.trim();
  if (reason === '')
    throw new CommandError('--reason "…" is missing: the owner of the project reads it.');
  if (reason.length > 1000) throw new CommandError('--reason is longer than 1000 characters.');
  return reason;
}

export function parseLimit(text = '20'): number {
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new CommandError(`--limit must be a whole number from 1 to 9999, not ${text}.`);
  return Number(text);
}

/** The number of a report, as `reports` prints it. @throws CommandError */
export function parseReportNumber(text = ''): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new CommandError(`${text} is not the number of a report. ${seeHelp}`);
}

export function parseInstant(text = ''): Date {
  const at = z.iso.datetime({ offset: true }).safeParse(text);
  if (at.success) return new Date(at.data);
  throw new CommandError('--at must be a time with its zone, for example 2026-03-01T08:00:00Z.');
}

export function parseProjectId(text = ''): ProjectId {
  const id = ProjectId.safeParse(text.toLowerCase());
  if (!id.success) throw new CommandError(`${text} is not a project id.`);
  return id.data;
}

export function parseSecretName(text = ''): SecretName {
  const name = SecretName.safeParse(text);
  if (name.success) return name.data;
  if (text === 'ApiKey') throw new CommandError(apiKeySteps);
  throw new CommandError(`${text} is not a secret. Use ${SecretName.options.join(', ')}.`);
}

const apiKeySteps = `ApiKey is replaced by a deployment, because API Gateway and CloudFront get it from CloudFormation. Nothing was changed.
1. In the settings file of the stage (stages/NAME.json), increase apiKeyGeneration by one. If it is not set, it is 1: set 2.
2. Run npm run deploy -- --stage NAME, or restart the local cloud with --stage NAME. From then on CloudFront sends the next key, which the API already accepts.
3. Do it once more: a key is refused after the second change.`;

export function parseSlug(text: string | undefined): Slug | undefined {
  if (text === undefined) return undefined;
  const slug = Slug.safeParse(text);
  if (!slug.success) throw new CommandError(`${text} is not a slug. Use a-z, 0-9 and hyphens.`);
  return slug.data;
}
