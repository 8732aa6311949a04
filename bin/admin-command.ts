import { AccountId, EmailAddress, ProjectId, Slug, Tier } from '../contract/fields.ts';
import { parseStage, SecretName, secretVariables, type Stage } from './admin-stage.ts';
import { CommandError, parseOptions } from './command-line.ts';

export type AdminCommand = { kind: 'help' } | (AdminTask & { stage: Stage });

/** A command with its parsed operands. */
export type AdminTask =
  | { kind: 'account'; email: string }
  | { kind: 'set-plan'; email: string; tier: Tier }
  | { kind: 'suspend' | 'unsuspend'; account: string }
  | { kind: 'takedown'; target: string; reason: string }
  | { kind: 'release'; target: string }
  | { kind: 'reports'; limit: number }
  | { kind: 'restore'; projectId: ProjectId; slug: Slug | undefined }
  | { kind: 'deleted'; email: string }
  | { kind: 'rotate'; secret: SecretName };

/** The text of `--help`. */
export const adminHelp = `Shows and changes accounts and projects.

  npm run admin -- account <email>               shows its plan, projects and storage
  npm run admin -- set-plan <email> <plan>       ${Tier.options.join(', ')}
  npm run admin -- suspend <account>             visitors get 451 and nobody can use it; nothing is deleted
  npm run admin -- unsuspend <account>           restores it as it was
  npm run admin -- takedown <project> --reason "…"
                                                 visitors get 451, the owner reads why
  npm run admin -- release <project>             ends the takedown
  npm run admin -- reports [--limit 20]          reports of visitors, newest first
  npm run admin -- deleted <email>               deleted projects that can be restored
  npm run admin -- restore <project id> [--slug other]
                                                 restores one, at its address or at another
  npm run admin -- rotate <secret>               does the next step of replacing ${Object.keys(secretVariables).join(', ')};
                                                 for MediaKey, shows what to deploy

  <project> is its id or its host, <account> its id or its e-mail address.

  Without the options below, a command acts on the local cloud that is running.

  --state-dir <path>   the state folder of the local cloud (.slipway)

  These options name the resources of a deployed stage in us-east-1. The AWS credentials come from
  the shell. Each name can also be set as an environment variable; functions use the same names.

  --table <name>            accounts table         ACCOUNTS_TABLE
  --projects-table <name>   projects table         PROJECTS_TABLE
  --sites-table <name>      sites table            SITES_TABLE
  --tenant <id>             CloudFront tenant      SITES_TENANT_ID
  --secret <arn>            secret to rotate       CODE_SECRET_ARN, ACCESS_SECRET_ARN, ORIGIN_SECRET_ARN
  --distributions <ids>     for OriginSecret       DISTRIBUTION_IDS (the output Distributions)
  --help                    this text
`;

const seeHelp = 'npm run admin -- --help lists the commands.';

/** The unparsed arguments after the command's name. */
interface CommandArguments {
  operands: readonly string[];
  reason: string | undefined;
  limit: string | undefined;
  slug: string | undefined;
}

/** The commands. `option` is the one option that only this command has. */
const commands: Record<
  string,
  { option?: 'reason' | 'limit' | 'slug'; parse(given: CommandArguments): AdminTask }
> = {
  account: { parse: ({ operands }) => ({ kind: 'account', email: emailOperand(operands) }) },
  deleted: { parse: ({ operands }) => ({ kind: 'deleted', email: emailOperand(operands) }) },
  'set-plan': {
    parse({ operands }) {
      const [email, tier] = requireOperands(operands, ['<email>', '<plan>']);
      return { kind: 'set-plan', email: parseEmail(email), tier: parseTier(tier) };
    },
  },
  suspend: { parse: ({ operands }) => ({ kind: 'suspend', account: accountOperand(operands) }) },
  unsuspend: {
    parse: ({ operands }) => ({ kind: 'unsuspend', account: accountOperand(operands) }),
  },
  takedown: {
    option: 'reason',
    parse({ operands, reason }) {
      const [target = ''] = requireOperands(operands, ['<project>']);
      return { kind: 'takedown', target, reason: parseReason(reason) };
    },
  },
  release: {
    parse({ operands }) {
      const [target = ''] = requireOperands(operands, ['<project>']);
      return { kind: 'release', target };
    },
  },
  reports: {
    option: 'limit',
    parse({ operands, limit }) {
      requireOperands(operands, []);
      return { kind: 'reports', limit: parseLimit(limit) };
    },
  },
  rotate: {
    parse({ operands }) {
      const [name] = requireOperands(operands, ['<secret>']);
      return { kind: 'rotate', secret: parseSecretName(name) };
    },
  },
  restore: {
    option: 'slug',
    parse({ operands, slug }) {
      const [id] = requireOperands(operands, ['<project id>']);
      return { kind: 'restore', projectId: parseProjectId(id), slug: parseSlug(slug) };
    },
  },
};

/**
 * Reads a command line.
 * @throws CommandError
 */
export function parseAdminCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): AdminCommand {
  const { values, positionals } = parseOptions(
    { args: [...args], allowPositionals: true, options },
    seeHelp,
  );
  const [name, ...operands] = positionals;
  if (values.help === true || (name === undefined && args.length === 0)) return { kind: 'help' };
  const command = Object.entries(commands).find(([known]) => known === name)?.[1];
  if (command === undefined) {
    const problem = name === undefined ? 'A command is missing' : `${name} is not a command`;
    throw new CommandError(`${problem}. ${seeHelp}`);
  }
  const { reason, limit, slug } = values;
  for (const [option, value] of Object.entries({ reason, limit, slug })) {
    if (value === undefined || option === command.option) continue;
    throw new CommandError(`${name} has no option --${option}. ${seeHelp}`);
  }
  const stage = parseStage(values, environment);
  return { ...command.parse({ operands, reason, limit, slug }), stage };
}

const text = { type: 'string' } as const;
const options = {
  'state-dir': text,
  reason: text,
  limit: text,
  slug: text,
  help: { type: 'boolean' },
  table: text,
  'projects-table': text,
  'sites-table': text,
  tenant: text,
  secret: text,
  distributions: text,
} as const;

function requireOperands(operands: readonly string[], names: readonly string[]): readonly string[] {
  const missing = names[operands.length];
  if (missing !== undefined) throw new CommandError(`${missing} is missing. ${seeHelp}`);
  const extra = operands[names.length];
  if (extra !== undefined) throw new CommandError(`Unexpected argument: ${extra}. ${seeHelp}`);
  return operands;
}

function emailOperand(operands: readonly string[]): string {
  const [email] = requireOperands(operands, ['<email>']);
  return parseEmail(email);
}

function accountOperand(operands: readonly string[]): string {
  const [account = ''] = requireOperands(operands, ['<account>']);
  return AccountId.safeParse(account.toLowerCase()).data ?? parseEmail(account);
}

function parseEmail(text = ''): string {
  const email = EmailAddress.safeParse(text);
  if (!email.success) throw new CommandError(`${text} is not an e-mail address.`);
  return email.data;
}

function parseTier(text = ''): Tier {
  const tier = Tier.safeParse(text);
  if (!tier.success)
    throw new CommandError(`${text} is not a plan. Use ${Tier.options.join(', ')}.`);
  return tier.data;
}

function parseReason(text = ''): string {
  const reason = text.trim();
  if (reason === '')
    throw new CommandError('--reason "…" is missing: the owner of the project reads it.');
  if (reason.length > 1000) throw new CommandError('--reason is longer than 1000 characters.');
  return reason;
}

function parseLimit(text = '20'): number {
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new CommandError(`--limit must be a whole number from 1 to 9999, not ${text}.`);
  return Number(text);
}

function parseProjectId(text = ''): ProjectId {
  const id = ProjectId.safeParse(text.toLowerCase());
  if (!id.success) throw new CommandError(`${text} is not a project id.`);
  return id.data;
}

function parseSecretName(text = ''): SecretName {
  const name = SecretName.safeParse(text);
  if (name.success) return name.data;
  if (text === 'MediaKey') throw new CommandError(mediaKeySteps);
  throw new CommandError(`${text} is not a secret. Use ${SecretName.options.join(', ')}.`);
}

const mediaKeySteps = `MediaKey is replaced by a deployment, because CloudFormation manages its public key. Nothing was changed.
1. In the settings file of the stage (stages/NAME.json), increase mediaKeyGeneration by one. If it is not set, it is 1: set 2.
2. Run npm run deploy -- --stage NAME, or restart the local cloud with --stage NAME. From then on links are signed with the next key, which CloudFront already trusts.
3. Wait 15 minutes before the next change. A key is refused after the second change.
docs/runbook.md, "The media key to replace", explains what to do when a key was stolen.`;

function parseSlug(text: string | undefined): Slug | undefined {
  if (text === undefined) return undefined;
  const slug = Slug.safeParse(text);
  if (!slug.success) throw new CommandError(`${text} is not a slug. Use a-z, 0-9 and hyphens.`);
  return slug.data;
}
