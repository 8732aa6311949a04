import { type ProjectId, type Slug, Tier } from '../contract/fields.ts';
import {
  accountOperand,
  domainOperand,
  emailOperand,
  noOperand,
  parseEmail,
  parseInstant,
  parseLimit,
  parseProjectId,
  parseReason,
  parseReportNumber,
  parseSecretName,
  parseSlug,
  parseTier,
  requireOperands,
  seeHelp,
} from './admin-operands.ts';
import { type SecretName, secretVariables } from './admin-names.ts';
import { parseStage, type Stage } from './stages/stage-resources.ts';
import { CommandError, parseOptions } from './command-line.ts';

export type AdminCommand = { kind: 'help' } | (AdminTask & { stage: Stage });

/** A command with its parsed operands. */
export type AdminTask =
  | { kind: 'account'; email: string }
  | { kind: 'set-plan'; email: string; tier: Tier }
  | { kind: 'suspend'; account: string; reason: string | undefined }
  | { kind: 'unsuspend'; account: string }
  | { kind: 'takedown'; target: string; reason: string }
  | { kind: 'release'; target: string }
  | { kind: 'reports'; limit: number; from: Date | undefined }
  | { kind: 'resolve'; projectId: ProjectId; last: number; reason: string }
  | { kind: 'restore'; projectId: ProjectId; slug: Slug | undefined }
  | { kind: 'deleted'; email: string }
  | ({ kind: 'files' } & FilesTask)
  | { kind: 'rotate'; secret: SecretName }
  | { kind: 'sign-in'; email: string }
  | { kind: 'invite'; email: string; plan: Tier | undefined }
  | { kind: 'remove-domain'; domain: string | undefined };

/** A command for the stored files of a project, earlier versions included. */
export type FilesTask =
  | { files: 'restore'; projectId: ProjectId; at: Date }
  | { files: 'purge'; projectId: ProjectId };

/** The text of `--help`. */
export const adminHelp = `Shows and changes accounts and projects.

  npm run admin -- account <email>               shows its plan, projects and storage
  npm run admin -- sign-in <email>               makes a sign-in code, without a mail
  npm run admin -- invite <email> [--plan pro]   lets it have an account, without a mail
  npm run admin -- set-plan <email> <plan>       ${Tier.options.join(', ')}
  npm run admin -- suspend <account> [--reason "…"]
                                                 visitors get 451 and nobody can use it; nothing is deleted
  npm run admin -- unsuspend <account>           restores it as it was
  npm run admin -- takedown <project> --reason "…"
                                                 visitors get 451, the owner reads why
  npm run admin -- release <project>             ends the takedown
  npm run admin -- reports [--at 2026-03-01T08:00:00Z] [--limit 20]
                                                 projects with open reports, those first that wait longest
                                                 since that time
  npm run admin -- resolve <project id> <number of its last report> --reason "…"
                                                 files its reports up to this one as handled
  npm run admin -- deleted <email>               deleted projects that can be restored
  npm run admin -- restore <project id> [--slug other]
                                                 restores one, at its address or at another
  npm run admin -- restore-files <project id> --at 2026-03-01T08:00:00Z
                                                 makes its files what they were at that time
  npm run admin -- purge-files <project id>      deletes its files and their backups for ever
  npm run admin -- remove-domain <domain>        removes a custom domain, as its owner would
  npm run admin -- remove-domain --all           removes all custom domains, before npm run destroy
  npm run admin -- rotate <secret>               does the next step of replacing ${Object.keys(secretVariables).join(', ')};
                                                 for ApiKey, shows what to deploy

  <project> is its id or any address of it, <account> its id or its e-mail address.

  Without the options below, a command acts on the local cloud that is running.

  --stage <name>       a deployed stage; the AWS credentials come from the shell
  --state-dir <path>   the state folder of the local cloud (.slipway)
  --help               this text
`;

/** The unparsed arguments after the command's name. */
interface CommandArguments {
  operands: readonly string[];
  reason: string | undefined;
  limit: string | undefined;
  slug: string | undefined;
  at: string | undefined;
  all: boolean | undefined;
  plan: string | undefined;
}

type Option = Exclude<keyof CommandArguments, 'operands'>;

/** The commands. `option` is what only some commands have. */
const commands: Record<
  string,
  { option?: Option | readonly Option[]; parse(given: CommandArguments): AdminTask }
> = {
  account: { parse: ({ operands }) => ({ kind: 'account', email: emailOperand(operands) }) },
  'sign-in': { parse: ({ operands }) => ({ kind: 'sign-in', email: emailOperand(operands) }) },
  invite: {
    option: 'plan',
    parse: ({ operands, plan }) => ({
      kind: 'invite',
      email: emailOperand(operands),
      plan: plan === undefined ? undefined : parseTier(plan),
    }),
  },
  deleted: { parse: ({ operands }) => ({ kind: 'deleted', email: emailOperand(operands) }) },
  'set-plan': {
    parse({ operands }) {
      const [email, tier] = requireOperands(operands, ['<email>', '<plan>']);
      return { kind: 'set-plan', email: parseEmail(email), tier: parseTier(tier) };
    },
  },
  suspend: {
    option: 'reason',
    parse: ({ operands, reason }) => ({
      kind: 'suspend',
      account: accountOperand(operands),
      reason: reason === undefined ? undefined : parseReason(reason),
    }),
  },
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
    option: ['limit', 'at'],
    parse({ operands, limit, at }) {
      requireOperands(operands, []);
      const from = at === undefined ? undefined : parseInstant(at);
      return { kind: 'reports', limit: parseLimit(limit), from };
    },
  },
  resolve: {
    option: 'reason',
    parse({ operands, reason }) {
      const [id, last] = requireOperands(operands, ['<project id>', '<number>']);
      return {
        kind: 'resolve',
        projectId: parseProjectId(id),
        last: parseReportNumber(last),
        reason: parseReason(reason),
      };
    },
  },
  'restore-files': {
    option: 'at',
    parse({ operands, at }) {
      const [id] = requireOperands(operands, ['<project id>']);
      return {
        kind: 'files',
        files: 'restore',
        projectId: parseProjectId(id),
        at: parseInstant(at),
      };
    },
  },
  'purge-files': {
    parse({ operands }) {
      const [id] = requireOperands(operands, ['<project id>']);
      return { kind: 'files', files: 'purge', projectId: parseProjectId(id) };
    },
  },
  rotate: {
    parse({ operands }) {
      const [name] = requireOperands(operands, ['<secret>']);
      return { kind: 'rotate', secret: parseSecretName(name) };
    },
  },
  'remove-domain': {
    option: 'all',
    parse: ({ operands, all }) => ({
      kind: 'remove-domain',
      domain: all === true ? noOperand(operands) : domainOperand(operands),
    }),
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
export function parseAdminCommand(args: readonly string[]): AdminCommand {
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
  const { reason, limit, slug, at, all, plan } = values;
  const given = { reason, limit, slug, at, all, plan };
  for (const [option, value] of Object.entries(given)) {
    if (value === undefined || [command.option].flat().some((own) => own === option)) continue;
    throw new CommandError(`${name} has no option --${option}. ${seeHelp}`);
  }
  const stage = parseStage(values);
  return { ...command.parse({ operands, ...given }), stage };
}

const text = { type: 'string' } as const;
const options = {
  stage: text,
  'state-dir': text,
  reason: text,
  limit: text,
  slug: text,
  at: text,
  plan: text,
  all: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;
