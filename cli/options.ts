import { parseArgs, types } from 'node:util';
import { usageError } from './command-error.ts';
import { similarName } from './similar-name.ts';

/**
 * Every option, in the order of the help: its type for `node:util`, the name of its value, and what it does. A name
 * means the same in all commands. Help, completions, parsing and the table in docs/cli.md are made from this.
 */
export const optionTable = {
  title: { type: 'string', value: 'TEXT', text: 'title of the project' },
  slug: { type: 'string', value: 'NAME', text: 'name in the address' },
  domain: { type: 'string', value: 'DOMAIN', text: 'your own domain in the address' },
  workspace: { type: 'string', value: 'ID', text: 'workspace of the project' },
  access: { type: 'string', value: 'WHO', text: 'public, private, people or identify' },
  people: { type: 'string', value: 'LIST', text: 'who may open it: a@x.com,@y.com' },
  'password-stdin': { type: 'boolean', text: 'visitors need the password on standard input' },
  expires: {
    type: 'string',
    value: 'TIME',
    text: 'ends after 15m, 1h, 7d, 30d, or at the end of 2030-12-24',
  },
  spa: { type: 'boolean', text: 'unknown addresses show the home page' },
  draft: { type: 'boolean', text: 'a version that is not live; prints a preview link' },
  note: {
    type: 'string',
    value: 'TEXT',
    text: 'what changed, for the list and the feed of versions',
  },
  preview: {
    type: 'string',
    value: 'NAME',
    text: 'a preview of the project, at an address of its own: pr-42',
  },
  watch: { type: 'boolean', text: 'a preview that is pushed again at each change, until Ctrl-C' },
  new: { type: 'boolean', text: 'a new project, although this folder has one' },
  home: { type: 'string', value: 'PATH', text: 'the home page, where several are possible' },
  'as-files': { type: 'boolean', text: 'a list of files, not a website' },
  'include-hidden': { type: 'boolean', text: 'hidden files and node_modules too' },
  'take-pictures': { type: 'boolean', text: 'pictures of other sites in Markdown too' },
  'allow-secrets': { type: 'boolean', text: 'files that seem to contain keys too' },
  notify: { type: 'boolean', text: 'a mail to you when the files arrive' },
  message: { type: 'string', value: 'TEXT', text: 'what you ask for' },
  closes: { type: 'string', value: 'TIME', text: 'until when: 7d, or the end of 2030-12-24' },
  max: { type: 'string', value: 'NUMBER', text: 'how many uploads it takes' },
  'max-bytes': { type: 'string', value: 'SIZE', text: 'the most of one upload: 20M, 1G' },
  accept: { type: 'string', value: 'LIST', text: 'endings of the files: .pdf,.jpg' },
  'ask-name': { type: 'boolean', text: 'senders give a name' },
  'ask-email': { type: 'boolean', text: 'senders give an e-mail address, and get a receipt' },
  receipts: { type: 'boolean', text: 'a receipt for senders who give their address unasked' },
  'no-receipts': { type: 'boolean', text: 'senders get no receipt by mail' },
  into: { type: 'string', value: 'PROJECT', text: 'each upload becomes a folder of this project' },
  public: { type: 'boolean', text: 'others than you see at once what arrives' },
  open: { type: 'boolean', text: 'opens the link in the browser' },
  'dry-run': { type: 'boolean', text: 'lists what would be published' },
  key: { type: 'boolean', text: 'signs in with the key on standard input' },
  url: { type: 'string', value: 'ADDRESS', text: 'another installation (or SLIPWAY_URL)' },
  project: {
    type: 'string',
    value: 'PROJECT',
    text: 'not this folder’s project (or SLIPWAY_PROJECT)',
  },
  json: { type: 'boolean', text: 'one JSON object on standard output' },
  quiet: { type: 'boolean', short: 'q', text: 'no progress and no advice' },
  help: { type: 'boolean', short: 'h', text: 'describes the command' },
} as const;

export type OptionName = keyof typeof optionTable;

/** Options that every command takes. */
export const commonOptions = ['url', 'json', 'quiet', 'help'] as const;

/** The options of a command line. */
export type Options = ReturnType<typeof parseAll>['values'];

function parseAll(args: readonly string[]) {
  return parseArgs({ args: [...args], options: optionTable, allowPositionals: true });
}

/**
 * Reads what follows the name of a command.
 * @param allowed the command's own options
 * @throws CommandError for an option that the command does not have, and for one without its value
 */
export function parseCommand(
  name: string,
  args: readonly string[],
  allowed: readonly OptionName[],
): { values: Options; positionals: string[] } {
  const seeHelp = `Run: slipway help ${name}`;
  try {
    const { values, positionals } = parseAll(args);
    const known = new Set<string>([...allowed, ...commonOptions]);
    const other = Object.keys(values).find((option) => !known.has(option));
    if (other !== undefined) throw usageError(`slipway ${name} has no option --${other}.`, seeHelp);
    return { values, positionals };
  } catch (error) {
    if (!types.isNativeError(error) || !(error instanceof TypeError)) throw error;
    throw describeMistake(error.message, [...allowed, ...commonOptions], seeHelp);
  }
}

/** What `node:util` says about a command line, in words that say what to type. */
function describeMistake(message: string, known: readonly OptionName[], seeHelp: string) {
  const [reason = ''] = message.split(/\. |\n/);
  const [, withoutValue] = /^Option '(?:-\w, )?--([\w-]+) <value>' argument/.exec(reason) ?? [];
  const option = known.find((one) => one === withoutValue);
  if (option !== undefined) {
    return usageError(`--${option} needs a value: ${optionUsage(option)}.`, seeHelp);
  }
  const [, typed = ''] = /^Unknown option '--([^']+)'/.exec(reason) ?? [];
  const meant = similarName(typed, known);
  return usageError(
    `${reason}.`,
    meant === undefined ? seeHelp : `Did you mean --${meant}? ${seeHelp}`,
  );
}

/** An option as it is typed: `-q, --quiet`, `--title TEXT`. */
export function optionUsage(name: OptionName): string {
  const option = optionTable[name];
  const short = 'short' in option ? `-${option.short}, ` : '';
  return `${short}--${name}${'value' in option ? ` ${option.value}` : ''}`;
}
