import { login, logout, whoami } from './account-commands.ts';
import { completionScript } from './completion.ts';
import { domains } from './domain-commands.ts';
import { exportAccount } from './export/export-account.ts';
import { importAccount } from './import/import-account.ts';
import type { OptionName, Options } from './options.ts';
import * as projects from './project-commands.ts';
import { previews } from './previews.ts';
import { publish } from './publish.ts';
import { requestFiles, requestOptions } from './request-files.ts';
import type { Session } from './session.ts';
import { share } from './share-command.ts';
import { trust } from './trust-command.ts';
import * as versions from './version-commands.ts';
import { events, webhooks } from './webhook-commands.ts';

/** One command: how it is called, what it does, its own options, and its work. */
export interface Command {
  usage: string;
  summary: string;
  options?: readonly OptionName[];
  run(session: Session, operands: readonly string[], options: Options): Promise<void>;
}

/** All commands, in the order of the help. */
export const commands: Readonly<Record<string, Command>> = {
  publish: {
    usage: 'publish [PATH…]',
    summary: 'publishes a file, several, a folder or a ZIP, and prints the link; live at once',
    options: [
      'title',
      'slug',
      'domain',
      'workspace',
      'access',
      'people',
      'password-stdin',
      'expires',
      'spa',
      'draft',
      'note',
      'preview',
      'watch',
      'new',
      'home',
      'as-files',
      'include-hidden',
      'take-pictures',
      'allow-secrets',
      'open',
      'dry-run',
      'project',
    ],
    run: publish,
  },
  previews: {
    usage: 'previews [rm NAME…]',
    summary: 'lists the previews of a project, and ends them',
    options: ['project'],
    run: previews,
  },
  versions: {
    usage: 'versions [PROJECT]',
    summary: 'lists the kept versions',
    options: ['project'],
    run: versions.listVersions,
  },
  diff: {
    usage: 'diff VERSION [PATH…]',
    summary:
      'lists what a version changes against the live one; in files that are named, line by line',
    options: ['project'],
    run: versions.diff,
  },
  promote: {
    usage: 'promote VERSION',
    summary: 'makes a draft live',
    options: ['project'],
    run: versions.promote,
  },
  rollback: {
    usage: 'rollback [VERSION]',
    summary: 'makes an earlier version live: without a number, the one before',
    options: ['project'],
    run: versions.rollback,
  },
  list: { usage: 'list', summary: 'lists your projects', run: projects.list },
  info: {
    usage: 'info [PROJECT]',
    summary: 'describes a project',
    options: ['project'],
    run: projects.info,
  },
  open: {
    usage: 'open [PROJECT]',
    summary: 'opens a project in the browser',
    options: ['project'],
    run: projects.open,
  },
  opens: {
    usage: 'opens [PROJECT]',
    summary: 'tells how often people opened a project',
    options: ['project'],
    run: projects.opens,
  },
  share: {
    usage: 'share [list|NAME [FIELD=VALUE…]|rm ID…]',
    summary: 'creates a share link (maxOpens, expiresAt, password…), lists them, or ends some',
    options: ['project'],
    run: share,
  },
  'request-files': {
    usage: 'request-files [list|rm ID…]',
    summary: 'creates a link with which somebody sends you files, lists those links, and ends them',
    options: ['title', 'domain', 'project', ...requestOptions],
    run: requestFiles,
  },
  set: {
    usage: 'set NAME=VALUE…',
    summary: 'changes settings: title, slug, access, noIndex and others',
    options: ['project'],
    run: projects.set,
  },
  qr: {
    usage: 'qr [PROJECT]',
    summary: 'prints the address as a QR code (SVG)',
    options: ['project'],
    run: projects.qr,
  },
  rm: {
    usage: 'rm [PROJECT…]',
    summary: 'deletes projects; they can be restored for 30 days',
    options: ['project'],
    run: projects.rm,
  },
  restore: {
    usage: 'restore PROJECT',
    summary: 'takes back a deleted project',
    options: ['project'],
    run: projects.restore,
  },
  link: {
    usage: 'link PROJECT [PATH…]',
    summary: 'links this folder to a project',
    run: projects.link,
  },
  unlink: { usage: 'unlink', summary: 'forgets the project of this folder', run: projects.unlink },
  domains: {
    usage: 'domains [add|check|rm DOMAIN]',
    summary: 'lists, adds, checks and removes your own domains',
    run: domains,
  },
  trust: {
    usage: 'trust [add OWNER/NAME|rm ID]',
    summary: 'lists, adds and removes repositories that publish from CI without a stored key',
    options: ['project'],
    run: trust,
  },
  webhooks: {
    usage: 'webhooks [list|add URL EVENT…|rm ID|test ID|sent ID|resend ID DELIVERY]',
    summary:
      'lists, adds, removes and tests addresses that get events; shows and repeats what was sent',
    options: ['project'],
    run: webhooks,
  },
  events: {
    usage: 'events [PROJECT]',
    summary: 'prints opens, new versions and arrived files as they happen, until Ctrl-C',
    options: ['project'],
    run: events,
  },
  export: {
    usage: 'export FOLDER',
    summary: 'downloads the account with all projects and versions; continues what was interrupted',
    run: exportAccount,
  },
  import: {
    usage: 'import FOLDER',
    summary:
      'publishes what export downloaded in your account here; continues what was interrupted',
    run: importAccount,
  },
  login: {
    usage: 'login',
    summary: 'signs in by a page in your browser, on this computer or another one',
    options: ['key'],
    run: login,
  },
  logout: { usage: 'logout', summary: 'forgets the key on this computer', run: logout },
  whoami: { usage: 'whoami', summary: 'tells who is signed in', run: whoami },
  completion: {
    usage: 'completion bash|zsh|fish',
    summary: 'prints the script that completes commands and options in a shell',
    async run(session, [shell]) {
      const script = completionScript(shell, commands);
      session.answer({ script }, [script.trimEnd()]);
    },
  },
};
