import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { exitCodes } from '../../cli/command-error.ts';
import { commands } from '../../cli/commands.ts';
import { restoredSettings } from '../../cli/import/import-project.ts';
import { optionTable, optionUsage, type OptionName } from '../../cli/options.ts';
import { settingNames } from '../../contract/project-settings.ts';

const document = readFileSync('docs/cli.md', 'utf8');

/** The rows of the table below a heading, without its first two. */
function rowsBelow(heading: string): string[] {
  const [, section = ''] = document.split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  return text.split('\n').filter((line) => line.startsWith('| `'));
}

test('docs/cli.md lists every command, in the order of the help', () => {
  const rows = Object.values(commands).map(
    ({ usage, summary }) => `| \`${usage.replaceAll('|', '\\|')}\` | ${summary} |`,
  );
  expect(rowsBelow('Commands')).toEqual(rows);
});

test('docs/cli.md lists every option, in the order of the help', () => {
  const names = Object.keys(optionTable) as OptionName[];
  const rows = names.map((name) => `| \`${optionUsage(name)}\` | ${optionTable[name].text} |`);
  expect(rowsBelow('Options')).toEqual(rows);
});

test('docs/cli.md lists every exit code', () => {
  const codes = [...document.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  expect(codes).toEqual(Object.values(exitCodes));
});

test.each(Object.entries(commands))('%s: its usage begins with its name', (name, command) => {
  expect(command.usage.split(' ')[0]).toBe(name);
  expect(command.summary).toMatch(/^[a-z].*[^.]$/);
});

test('every option belongs to a command', () => {
  const used = Object.values(commands).flatMap(({ options = [] }) => options);
  const common = ['url', 'json', 'quiet', 'help'];
  expect(new Set([...used, ...common])).toEqual(new Set(Object.keys(optionTable)));
});

test('import restores every setting of a project', () => {
  expect(restoredSettings).toEqual(settingNames);
});
