import { expect, test } from '@jest/globals';
import { checks } from '../../../bin/smoke/checks/checks.ts';
import { parseSmokeCommand, smokeHelp } from '../../../bin/smoke/smoke-command.ts';
import { formatResult } from '../../../bin/smoke/run-smoke.ts';

const url = '--url=https://app.example.org/';

test('reads the options', () => {
  const args = [url, '--only=favicon', '--only', 'tls', '--wait=5', '--json'];
  expect(parseSmokeCommand(args, { SLIPWAY_KEY: 'sw_live_x' })).toMatchObject({
    kind: 'smoke',
    baseUrl: 'https://app.example.org',
    apiKey: 'sw_live_x',
    checks: [{ name: 'favicon' }, { name: 'tls' }],
    waitSeconds: 5,
    json: true,
  });
  expect(parseSmokeCommand([url], {})).toMatchObject({ checks, apiKey: undefined, json: false });
});

test.each([
  [['--url=app.example.org'], '--url must be the URL of a service'],
  [['--only=tls'], '--url must be the URL of a service'],
  [[url, '--stage=prod'], '--stage and --url both name a service'],
  [['--stage=nosuchstage'], 'stages/nosuchstage.json does not exist'],
  [[url, '--only=nothing'], 'nothing is not a check'],
  [[url, '--wait=soon'], '--wait must be a number'],
  [[url, 'extra'], "Unexpected argument 'extra'"],
])('refuses %j', (args, message) => {
  expect(() => parseSmokeCommand(args, {})).toThrow(message);
});

test('--help names every check', () => {
  expect(parseSmokeCommand(['--help'], {})).toEqual({ kind: 'help' });
  for (const { name } of checks) expect(smokeHelp).toContain(`\n  ${name} `);
  expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
});

test('a difference says what, why and what to do', () => {
  const result = {
    name: 'pages',
    outcome: 'differs',
    detail: 'GET / answered 502',
  };
  const why = 'Visitors see nothing.';
  expect(formatResult({ ...result, outcome: 'differs', why }).split('\n')).toEqual([
    'differs   pages: GET / answered 502',
    '          Visitors see nothing.',
    '          No setting avoids this. Write it down in docs/first-deploy.md.',
  ]);
});
