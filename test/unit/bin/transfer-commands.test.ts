import { describe, expect, test } from '@jest/globals';
import { exportHelp, parseExportCommand } from '../../../bin/export-command.ts';
import { importHelp, parseImportCommand } from '../../../bin/import-command.ts';
import { CommandError } from '../../../bin/command-line.ts';

const words = (line: string) => (line === '' ? [] : line.split(' '));
const exporting = (line: string, environment = {}) => parseExportCommand(words(line), environment);
const importing = (line: string, environment = {}) => parseImportCommand(words(line), environment);

const variables = {
  ACCOUNTS_TABLE: 'a',
  PROJECTS_TABLE: 'p',
  SITES_TABLE: 's',
  CONTENT_BUCKET: 'b',
  SITES_DOMAIN: 'sites.example.net',
};
const names = {
  accounts: 'a',
  projects: 'p',
  sites: 's',
  bucket: 'b',
  'sites-domain': 'sites.example.net',
};

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
    expect(
      importing('--from here --email bob@example.org --domain a.com --state-dir s', variables),
    ).toEqual({
      kind: 'import',
      from: 'here',
      email: 'bob@example.org',
      domain: 'a.com',
      target: { kind: 'local', stateDir: 's' },
    });
  });

  test.each([
    [
      'by options',
      '--accounts a --projects p --sites s --bucket b --sites-domain sites.example.net',
      {},
    ],
    ['by variables', '', variables],
    ['by both, options first', '--bucket b', { ...variables, CONTENT_BUCKET: 'old' }],
  ])('names a deployed stage %s', (_, line, environment) => {
    const command = importing(`--from here ${line}`.trim(), environment);
    expect(command).toMatchObject({ target: { kind: 'deployed', names } });
  });

  test('names a stage, whatever the shell names', () => {
    expect(importing('--from here --stage prod', variables)).toMatchObject({
      target: { kind: 'stage', name: 'prod' },
    });
  });

  test.each([
    ['--email a@example.org', '--from is missing'],
    ['--from here --email nobody', 'nobody is not an e-mail address'],
    ['--from here --accounts a --state-dir s', '--accounts is for a deployed stage'],
    ['--from here --stage prod --accounts a', '--stage knows what --accounts names'],
    ['--from here --stage prod --state-dir s', '--stage knows what --state-dir names'],
    ['--from here --accounts a', '--projects or PROJECTS_TABLE is missing'],
    ['--from here --table a', "Unknown option '--table'"],
  ])('%j is refused', (line, reason) => {
    expect(() => importing(line)).toThrow(CommandError);
    expect(() => importing(line)).toThrow(reason);
  });

  test.each(Object.keys(variables))('without %s among the others is refused', (name) => {
    expect(() => importing('--from here', { ...variables, [name]: '' })).toThrow(
      `${name} is missing`,
    );
  });
});

test('help names every option and variable', () => {
  for (const word of ['--url', '--key', '--out', 'SLIPWAY_KEY']) expect(exportHelp).toContain(word);
  const options = Object.keys(names).map((name) => `--${name}`);
  for (const word of ['--from', '--email', '--state-dir', ...options, ...Object.keys(variables)]) {
    expect(importHelp).toContain(word);
  }
});
