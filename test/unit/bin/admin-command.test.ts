import { describe, expect, test } from '@jest/globals';
import { AdminError, adminHelp, parseAdminCommand } from '../../../bin/admin-command.ts';
import { Tier } from '../../../contract/fields.ts';

const local = { kind: 'local', stateDir: undefined } as const;

function parse(line: string, environment: Record<string, string> = {}) {
  return parseAdminCommand(line === '' ? [] : line.split(' '), environment);
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

  test.each(['', '--help', 'account --help', 'set-plan ann@example.org pro --help'])(
    'help is what %j gives',
    (line) => {
      expect(parse(line)).toEqual({ kind: 'help' });
    },
  );

  test('help names every command, option and plan', () => {
    const words = ['account <email>', 'set-plan <email> <plan>', '--table', '--state-dir'];
    for (const word of [...words, 'ACCOUNTS_TABLE', ...Tier.options]) {
      expect(adminHelp).toContain(word);
    }
  });
});

describe('the stage', () => {
  const deployed = (table: string) => ({ kind: 'deployed', table });

  test.each([
    ['account a@b.org', {}, local],
    ['account a@b.org', { ACCOUNTS_TABLE: '' }, local],
    ['account a@b.org', { ACCOUNTS_TABLE: 'of-shell' }, deployed('of-shell')],
    ['account a@b.org --table named', { ACCOUNTS_TABLE: 'of-shell' }, deployed('named')],
    ['--table=named account a@b.org', {}, deployed('named')],
    ['account a@b.org --state-dir x', {}, { kind: 'local', stateDir: 'x' }],
    ['account a@b.org --state-dir x', { ACCOUNTS_TABLE: 't' }, { kind: 'local', stateDir: 'x' }],
  ])('of %j with %j', (line, environment, stage) => {
    expect(parse(line, environment)).toMatchObject({ stage });
  });
});

test.each([
  ['account', '<email> is missing'],
  ['set-plan', '<email> is missing'],
  ['set-plan a@b.org', '<plan> is missing'],
  ['account a@b.org c@d.org', 'c@d.org is too much'],
  ['set-plan a@b.org pro now', 'now is too much'],
  ['account nobody', 'nobody is no e-mail address'],
  ['set-plan a@b.org gold', 'gold is no plan. Use free, starter, pro, agency, scale.'],
  ['set-plan a@b.org Pro', 'Pro is no plan'],
  ['delete a@b.org', 'delete is no command'],
  ['--table t', 'An option alone is no command'],
  ['account a@b.org --table', '--table'],
  ['account a@b.org --table=', '--table needs the name of a table'],
  ['account a@b.org --tier pro', '--tier'],
  ['account a@b.org --table t --state-dir s', 'Use one'],
])('refuses %j in one line', (line, reason) => {
  const attempt = () => parse(line);
  expect(attempt).toThrow(AdminError);
  expect(attempt).toThrow(reason);
  expect(attempt).toThrow(/^[^\n]+$/);
});
