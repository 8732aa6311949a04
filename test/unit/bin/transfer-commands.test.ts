import { describe, expect, test } from '@jest/globals';
import { importHelp, parseImportCommand } from '../../../bin/run-import.ts';
import { CommandError } from '../../../bin/command-line.ts';

const words = (line: string) => (line === '' ? [] : line.split(' '));
const importing = (line: string) => parseImportCommand(words(line));

describe('an import command', () => {
  test('goes into the local cloud unless told otherwise', () => {
    expect(importing('--from here')).toEqual({
      kind: 'import',
      from: 'here',
      email: undefined,
      domain: undefined,
      target: { kind: 'local', stateDir: undefined },
    });
    expect(importing('--from here --email bob@example.org --domain a.com --state-dir s')).toEqual({
      kind: 'import',
      from: 'here',
      email: 'bob@example.org',
      domain: 'a.com',
      target: { kind: 'local', stateDir: 's' },
    });
  });

  test('names a stage', () => {
    expect(importing('--from here --stage prod')).toMatchObject({
      target: { kind: 'stage', name: 'prod' },
    });
  });

  test.each([
    ['--email a@example.org', '--from is missing'],
    ['--from here --email nobody', 'nobody is not an e-mail address'],
    ['--from here --stage prod --state-dir s', 'Use only one'],
    ['--from here --table a', "Unknown option '--table'"],
  ])('%j is refused', (line, reason) => {
    expect(() => importing(line)).toThrow(CommandError);
    expect(() => importing(line)).toThrow(reason);
  });
});

test('help names every option', () => {
  for (const word of ['--from', '--email', '--domain', '--stage', '--state-dir']) {
    expect(importHelp).toContain(word);
  }
});
