import { describe, expect, test } from '@jest/globals';
import { exportHelp, parseExportCommand } from '../../../bin/export-command.ts';
import { importHelp, parseImportCommand } from '../../../bin/import-command.ts';
import { CommandError } from '../../../bin/command-line.ts';

const words = (line: string) => (line === '' ? [] : line.split(' '));
const exporting = (line: string, environment = {}) => parseExportCommand(words(line), environment);
const importing = (line: string) => parseImportCommand(words(line));

describe('an export command', () => {
  const asked = {
    kind: 'export',
    source: { url: 'https://app.test' },
    apiKey: 'sw_live_x',
    out: 'here',
  };

  test('names service, key and folder', () => {
    const line = '--url https://app.test --out here';
    expect(exporting(`${line} --key sw_live_x`)).toEqual(asked);
    expect(exporting(line, { SLIPWAY_KEY: 'sw_live_x' })).toEqual(asked);
    expect(exporting(`${line} --key sw_live_x`, { SLIPWAY_KEY: 'sw_live_y' })).toEqual(asked);
  });

  test('names a stage instead of its address', () => {
    const command = exporting('--stage prod --key sw_live_x --out here');
    expect(command).toEqual({ ...asked, source: { stage: 'prod' } });
  });

  test.each(['', '--help', '--help --url x'])('help is what %j gives', (line) => {
    expect(exporting(line)).toEqual({ kind: 'help' });
  });

  test.each([
    ['--key k --out o', '--url must be'],
    ['--url https://app.test --stage prod --key k --out o', 'only one of --url and --stage'],
    ['--url app.test --key k --out o', '--url must be'],
    ['--url ftp://app.test --key k --out o', '--url must be'],
    ['--url https:// --key k --out o', '--url must be'],
    ['--url https://app.test --out o', '--key is missing'],
    ['--url https://app.test --key k', '--out is missing'],
    ['--url https://app.test --key k --out o x', 'x'],
    ['--uri https://app.test', "Unknown option '--uri'"],
  ])('%j is refused', (line, reason) => {
    expect(() => exporting(line)).toThrow(CommandError);
    expect(() => exporting(line)).toThrow(reason);
  });
});

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

test('help names every option and variable', () => {
  for (const word of ['--url', '--key', '--out', 'SLIPWAY_KEY']) expect(exportHelp).toContain(word);
  for (const word of ['--from', '--email', '--domain', '--stage', '--state-dir']) {
    expect(importHelp).toContain(word);
  }
});
