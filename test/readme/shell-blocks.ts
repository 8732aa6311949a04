/** One fenced block of shell commands. */
export interface ShellBlock {
  /** The line of its first command. */
  line: number;
  commands: string[];
  /** What the block needs that a test does not have: `aws` of "```sh needs=aws". */
  needs: string | undefined;
}

const fence = /^```(\S*)\s*(.*)$/;
const shells = new Set(['sh', 'bash', 'shell', 'console', 'zsh']);

/** What other fenced blocks are: output, configuration and source, which nobody runs. */
const others = new Set(['json', 'toml', 'ts', 'js', 'html', 'text', 'yaml', 'ini']);

/**
 * The shell blocks of a Markdown text.
 * @throws Error for a fenced block of an unknown language, which may be commands that nobody runs
 */
export function shellBlocks(markdown: string): ShellBlock[] {
  const blocks: ShellBlock[] = [];
  let open: ShellBlock | 'other' | undefined;
  for (const [index, text] of markdown.split('\n').entries()) {
    const [, language, info = ''] = fence.exec(text) ?? [];
    if (language === undefined) {
      if (open !== undefined && open !== 'other') addLine(open.commands, text);
    } else if (open !== undefined) {
      open = undefined;
    } else if (shells.has(language)) {
      open = { line: index + 2, commands: [], needs: /^needs=(\w+)$/.exec(info)?.[1] };
      blocks.push(open);
    } else if (others.has(language)) {
      open = 'other';
    } else {
      throw new Error(`Line ${index + 1} opens a block without a known language.`);
    }
  }
  return blocks;
}

/** Adds a line to the last command if that ends with a backslash. */
function addLine(commands: string[], line: string): void {
  const last = commands.at(-1);
  if (last?.endsWith('\\') === true) commands[commands.length - 1] = `${last}\n${line}`;
  else if (line.trim() !== '') commands.push(line);
}
