import { parseArgs, types } from 'node:util';
import { AccountId, EmailAddress, ProjectId, Slug, Tier } from '../contract/fields.ts';
import { AdminError, SecretName, secretVariables, type Stage, stageOf } from './admin-stage.ts';

/** What an operator asked for. */
export type AdminCommand = { kind: 'help' } | (AdminTask & { stage: Stage });

/** One command with its operands. */
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

  npm run admin -- account <email>               who it is, its plan and what it holds
  npm run admin -- set-plan <email> <plan>       ${Tier.options.join(', ')}
  npm run admin -- suspend <account>             nothing of it is served, nothing opens it, nothing is lost
  npm run admin -- unsuspend <account>           brings it back as it was
  npm run admin -- takedown <project> --reason "…"
                                                 visitors get 451, the owner reads why
  npm run admin -- release <project>             takes that back
  npm run admin -- reports [--limit 20]          what visitors reported, newest first
  npm run admin -- deleted <email>               deleted projects that can be restored
  npm run admin -- restore <project id> [--slug other]
                                                 brings one back, to its address or another
  npm run admin -- rotate <secret>               next step of replacing ${Object.keys(secretVariables).join(', ')};
                                                 for MediaKey it says what to deploy

  <project> is its id or its host, <account> its id or its e-mail address.

  Without an option: the local cloud that runs now.

  --state-dir <path>   where it keeps its state (.slipway)

  For a deployed stage, in us-east-1, with the AWS credentials of the shell; each may be set
  as the variable instead. The functions have them under the same names.

  --table <name>            accounts table         ACCOUNTS_TABLE
  --projects-table <name>   projects table         PROJECTS_TABLE
  --sites-table <name>      sites table            SITES_TABLE
  --tenant <id>             CloudFront tenant      SITES_TENANT_ID
  --secret <arn>            secret to rotate       CODE_SECRET_ARN, ACCESS_SECRET_ARN, ORIGIN_SECRET_ARN
  --distributions <ids>     of OriginSecret        DISTRIBUTION_IDS (the output Distributions)
  --help                    this text
`;

const seeHelp = 'npm run admin -- --help lists what there is.';

interface Words {
  operands: readonly string[];
  reason: string | undefined;
  limit: string | undefined;
  slug: string | undefined;
}

/** Each command, with the one option that is its own. */
const commands: Record<
  string,
  { own?: 'reason' | 'limit' | 'slug'; read(words: Words): AdminTask }
> = {
  account: { read: ({ operands }) => ({ kind: 'account', email: onlyEmail(operands) }) },
  deleted: { read: ({ operands }) => ({ kind: 'deleted', email: onlyEmail(operands) }) },
  'set-plan': {
    read({ operands }) {
      const [email, tier] = exactly(operands, ['<email>', '<plan>']);
      return { kind: 'set-plan', email: emailOf(email), tier: tierOf(tier) };
    },
  },
  suspend: { read: ({ operands }) => ({ kind: 'suspend', account: onlyAccount(operands) }) },
  unsuspend: { read: ({ operands }) => ({ kind: 'unsuspend', account: onlyAccount(operands) }) },
  takedown: {
    own: 'reason',
    read({ operands, reason }) {
      const [target = ''] = exactly(operands, ['<project>']);
      return { kind: 'takedown', target, reason: reasonOf(reason) };
    },
  },
  release: {
    read({ operands }) {
      const [target = ''] = exactly(operands, ['<project>']);
      return { kind: 'release', target };
    },
  },
  reports: {
    own: 'limit',
    read({ operands, limit }) {
      exactly(operands, []);
      return { kind: 'reports', limit: limitOf(limit) };
    },
  },
  rotate: {
    read({ operands }) {
      const [name] = exactly(operands, ['<secret>']);
      return { kind: 'rotate', secret: secretOf(name) };
    },
  },
  restore: {
    own: 'slug',
    read({ operands, slug }) {
      const [id] = exactly(operands, ['<project id>']);
      return { kind: 'restore', projectId: idOf(id), slug: slugOf(slug) };
    },
  },
};

/**
 * Reads a command line.
 * @throws AdminError
 */
export function parseAdminCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): AdminCommand {
  const { values, positionals } = parsed(args);
  const [name, ...operands] = positionals;
  if (values.help === true || (name === undefined && args.length === 0)) return { kind: 'help' };
  const command = Object.entries(commands).find(([known]) => known === name)?.[1];
  if (command === undefined) {
    throw new AdminError(`${name ?? 'An option alone'} is no command. ${seeHelp}`);
  }
  const { reason, limit, slug } = values;
  for (const [option, value] of Object.entries({ reason, limit, slug })) {
    if (value === undefined || option === command.own) continue;
    throw new AdminError(`--${option} is not for ${name}. ${seeHelp}`);
  }
  const stage = stageOf(values, environment);
  return { ...command.read({ operands, reason, limit, slug }), stage };
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'state-dir': text,
        reason: text,
        limit: text,
        slug: text,
        help: { type: 'boolean' } as const,
        table: text,
        'projects-table': text,
        'sites-table': text,
        tenant: text,
        secret: text,
        distributions: text,
      },
    });
  } catch (error) {
    const [reason = ''] = (types.isNativeError(error) ? error.message : '').split(/\. |\n/);
    throw new AdminError(`${reason}. ${seeHelp}`);
  }
}

function exactly(operands: readonly string[], names: readonly string[]): readonly string[] {
  const missing = names[operands.length];
  if (missing !== undefined) throw new AdminError(`${missing} is missing. ${seeHelp}`);
  const extra = operands[names.length];
  if (extra !== undefined) throw new AdminError(`${extra} is too much. ${seeHelp}`);
  return operands;
}

function onlyEmail(operands: readonly string[]): string {
  const [email] = exactly(operands, ['<email>']);
  return emailOf(email);
}

function onlyAccount(operands: readonly string[]): string {
  const [account = ''] = exactly(operands, ['<account>']);
  return AccountId.safeParse(account.toLowerCase()).data ?? emailOf(account);
}

function emailOf(text = ''): string {
  const email = EmailAddress.safeParse(text);
  if (!email.success) throw new AdminError(`${text} is no e-mail address.`);
  return email.data;
}

function tierOf(text = ''): Tier {
  const tier = Tier.safeParse(text);
  if (!tier.success) throw new AdminError(`${text} is no plan. Use ${Tier.options.join(', ')}.`);
  return tier.data;
}

/** The owner reads it, so that it is never left out. */
function reasonOf(text = ''): string {
  const reason = text.trim();
  if (reason === '')
    throw new AdminError('--reason "…" is missing: the owner of the project reads it.');
  if (reason.length > 1000) throw new AdminError('--reason is longer than 1000 characters.');
  return reason;
}

function limitOf(text = '20'): number {
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new AdminError(`--limit ${text} is no number up to 9999.`);
  return Number(text);
}

function idOf(text = ''): ProjectId {
  const id = ProjectId.safeParse(text.toLowerCase());
  if (!id.success) throw new AdminError(`${text} is no project id.`);
  return id.data;
}

function secretOf(text = ''): SecretName {
  const name = SecretName.safeParse(text);
  if (name.success) return name.data;
  if (text === 'MediaKey') throw new AdminError(mediaKeySteps);
  throw new AdminError(`${text} is no secret. Use ${SecretName.options.join(', ')}.`);
}

const mediaKeySteps = `MediaKey is replaced by a deployment, because CloudFormation owns its public half. Nothing was changed.
1. In cdk.json, in the context "slipway", set mediaKeyGeneration one higher than it is (without it, it is 1: set 2).
2. Run npx cdk deploy --all, or start the local cloud again. From then on the next key signs; CloudFront knows it already.
3. Wait 15 minutes before the next change of it. A key is refused after the second one.
docs/runbook.md, "The media key to replace", says what to do when a key was stolen.`;

function slugOf(text: string | undefined): Slug | undefined {
  if (text === undefined) return undefined;
  const slug = Slug.safeParse(text);
  if (!slug.success) throw new AdminError(`${text} is no address: use a-z, 0-9 and hyphens.`);
  return slug.data;
}
