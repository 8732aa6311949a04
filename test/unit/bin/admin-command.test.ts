import { describe, expect, test } from '@jest/globals';
import { adminHelp, parseAdminCommand } from '../../../bin/admin-command.ts';
import { CommandError } from '../../../bin/command-line.ts';
import { Tier } from '../../../contract/fields.ts';

const local = { kind: 'local', stateDir: undefined } as const;
const id = '0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11';

function parse(line: string) {
  return parseAdminCommand(line === '' ? [] : line.split(' '));
}

describe('commands', () => {
  test('account takes an address', () => {
    expect(parse('account Ann@example.org')).toEqual({
      kind: 'account',
      email: 'Ann@example.org',
      stage: local,
    });
  });

  test.each(Tier.options)('set-plan takes an address and the plan %s', (tier) => {
    expect(parse(`set-plan ann@example.org ${tier}`)).toEqual({
      kind: 'set-plan',
      email: 'ann@example.org',
      tier,
      stage: local,
    });
  });

  test.each([
    [
      'takedown demo.sites.example',
      ['--reason', ' It asks for cards. '],
      'takedown',
      {
        target: 'demo.sites.example',
        reason: 'It asks for cards.',
      },
    ],
    ['release demo.sites.example', [], 'release', { target: 'demo.sites.example' }],
    ['reports', [], 'reports', { limit: 20, from: undefined }],
    [
      'reports --limit 5 --at 2026-03-01T09:00:00+01:00',
      [],
      'reports',
      { limit: 5, from: new Date('2026-03-01T08:00:00Z') },
    ],
    [
      `resolve ${id} 12`,
      ['--reason', 'A joke.'],
      'resolve',
      { projectId: id, last: 12, reason: 'A joke.' },
    ],
    ['deleted ann@example.org', [], 'deleted', { email: 'ann@example.org' }],
    [`restore ${id.toUpperCase()}`, [], 'restore', { projectId: id, slug: undefined }],
    ['remove-domain Bücher.example', [], 'remove-domain', { domain: 'xn--bcher-kva.example' }],
    ['remove-domain --all', [], 'remove-domain', { domain: undefined }],
    [`restore ${id} --slug other-one`, [], 'restore', { projectId: id, slug: 'other-one' }],
  ])('%s %j is %s', (line, more, kind, expected) => {
    const command = parseAdminCommand([...line.split(' '), ...more]);
    expect(command).toEqual({ kind, ...expected, stage: local });
  });

  test.each(['', '--help', 'account --help', 'set-plan ann@example.org pro --help'])(
    'help is what %j gives',
    (line) => {
      expect(parse(line)).toEqual({ kind: 'help' });
    },
  );

  test('help names every command, option and plan', () => {
    const words = ['account <email>', 'set-plan <email> <plan>', '--state-dir'];
    const more = [
      'takedown',
      'release',
      'reports',
      'resolve',
      'restore',
      'deleted <email>',
      '--reason',
    ];
    const options = ['--limit', 'remove-domain', '--all', '--slug', '--stage'];
    for (const word of [...words, ...more, ...options, ...Tier.options]) {
      expect(adminHelp).toContain(word);
    }
  });
});

describe('the stage', () => {
  test.each([
    ['account a@b.org', local],
    ['account a@b.org --state-dir x', { kind: 'local', stateDir: 'x' }],
    ['reports --stage prod', { kind: 'stage', name: 'prod' }],
  ])('of %j', (line, stage) => {
    expect(parse(line)).toMatchObject({ stage });
  });
});

test.each([
  ['account', '<email> is missing'],
  ['set-plan', '<email> is missing'],
  ['set-plan a@b.org', '<plan> is missing'],
  ['account a@b.org c@d.org', 'Unexpected argument: c@d.org'],
  ['set-plan a@b.org pro now', 'Unexpected argument: now'],
  ['account nobody', 'nobody is not an e-mail address'],
  ['set-plan a@b.org gold', 'gold is not a plan. Use free, starter, pro, agency, scale.'],
  ['set-plan a@b.org Pro', 'Pro is not a plan'],
  ['delete a@b.org', 'delete is not a command'],
  ['account a@b.org --tier pro', '--tier'],
  ['--stage prod', 'A command is missing'],
  ['account a@b.org --table t', "Unknown option '--table'"],
  ['reports --stage prod --state-dir s', 'Use only one'],
  ['reports --stage Prod', '--stage Prod is not the name of a stage'],
  ['sign-in', '<email> is missing'],
  ['takedown', '<project> is missing'],
  ['takedown x', '--reason "…" is missing'],
  ['takedown x --reason=', '--reason "…" is missing'],
  [`takedown x --reason=${'x'.repeat(1001)}`, 'longer than 1000'],
  ['takedown x y --reason=z', 'Unexpected argument: y'],
  ['release', '<project> is missing'],
  ['release x --reason=z', 'release has no option --reason'],
  ['reports x', 'Unexpected argument: x'],
  ['reports --limit 0', '--limit must be a whole number from 1 to 9999, not 0'],
  ['reports --limit 1e3', '--limit must be a whole number from 1 to 9999, not 1e3'],
  ['reports --reason x', 'reports has no option --reason'],
  ['resolve demo.sites.example 1 --reason x', 'demo.sites.example is not a project id'],
  [`resolve ${id} --reason x`, '<number> is missing'],
  [`resolve ${id} 0 --reason x`, '0 is not the number of a report'],
  [`resolve ${id} 1`, '--reason "…" is missing'],
  ['account a@b.org --limit 5', 'account has no option --limit'],
  ['restore', '<project id> is missing'],
  ['restore demo.sites.example', 'demo.sites.example is not a project id'],
  [`restore ${id} --slug No_Slug`, 'No_Slug is not a slug'],
  ['deleted', '<email> is missing'],
  ['toString', 'toString is not a command'],
])('refuses %j in one line', (line, reason) => {
  const attempt = () => parse(line);
  expect(attempt).toThrow(CommandError);
  expect(attempt).toThrow(reason);
  expect(attempt).toThrow(/^[^\n]+$/);
});
