import { usageError } from './command-error.ts';
import { commonOptions, type OptionName, optionTable } from './options.ts';

/** What a shell completes: the commands by their names, each with its options. */
export type CommandNames = Readonly<
  Record<string, { usage: string; summary: string; options?: readonly OptionName[] }>
>;

/**
 * The script that makes bash, zsh or fish complete commands and options. After a command, bash and zsh complete files too.
 * @throws CommandError for another shell
 */
export function completionScript(shell: string | undefined, commands: CommandNames): string {
  if (shell === 'bash') return bash(commands);
  if (shell === 'fish') return fish(commands);
  // zsh runs completions of bash.
  if (shell === 'zsh') return `${zshCompletions}\n${bash(commands)}`;
  throw usageError(
    'Name a shell: bash, zsh, fish.',
    'For example: source <(slipway completion bash)',
  );
}

const zshCompletions =
  'autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit';

function optionsOf({ options = [] }: CommandNames[string]): OptionName[] {
  return [...options, ...commonOptions];
}

/** The words of a usage that are typed as they are: `add`, `check` and `rm` of `domains [add|check|rm DOMAIN]`. */
function actionsOf({ usage }: CommandNames[string]): string[] {
  return usage
    .split(/[ [\]|]+/)
    .slice(1)
    .filter((word) => /^[a-z]+$/.test(word));
}

function bash(commands: CommandNames): string {
  const cases = Object.entries(commands).map(([name, command]) => {
    const options = optionsOf(command).map((option) => `--${option}`);
    return `    ${name}) words='${[...actionsOf(command), ...options].join(' ')}' ;;`;
  });
  return `_slipway() {
  local words='${[...Object.keys(commands), 'help'].join(' ')}'
  local current=\${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" -gt 1 ]; then
    case \${COMP_WORDS[1]} in
${cases.join('\n')}
    help) ;;
    *) words='' ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _slipway slipway
`;
}

function fish(commands: CommandNames): string {
  const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
  const lines = Object.entries(commands).flatMap(([name, command]) => [
    `complete -c slipway -n __fish_use_subcommand -f -a ${name} -d ${quoted(command.summary)}`,
    ...actionsOf(command).map(
      (action) => `complete -c slipway -n '__fish_seen_subcommand_from ${name}' -a ${action}`,
    ),
    ...optionsOf(command).map((option) => {
      const value = 'value' in optionTable[option] ? ' -r' : '';
      return `complete -c slipway -n '__fish_seen_subcommand_from ${name}' -l ${option}${value} -d ${quoted(optionTable[option].text)}`;
    }),
  ]);
  return `${lines.join('\n')}\n`;
}
