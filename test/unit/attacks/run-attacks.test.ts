import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Attack } from '../../attacks/attack.ts';
import { describeOutcome, exitCode, type Outcome, runAttacks } from '../../attacks/run-attacks.ts';

/** A service that lets everybody in who asks three times. */
let server: Server;
let baseUrl = '';
beforeAll(async () => {
  let asked = 0;
  server = createServer((request, response) => {
    asked += 1;
    response.writeHead(request.url === '/weak' && asked >= 3 ? 200 : 401).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await once(server, 'close');
});

function knockAt(path: string): Attack {
  return {
    title: `knock at ${path}`,
    async run({ baseUrl: at, until }) {
      const statuses: number[] = [];
      while (statuses.length < 5 && new Date() < until) {
        const { status } = await fetch(at + path, { headers: { connection: 'close' } });
        statuses.push(status);
      }
      const open = statuses.filter((status) => status === 200).length;
      return {
        requests: statuses.length,
        observed: [`${statuses.length} knocks`],
        gained: open > 0 ? [`the door opened ${open} times`] : [],
      };
    },
  };
}

async function played(attacks: Record<string, Attack>, more = {}): Promise<Outcome[]> {
  const reported: Outcome[] = [];
  const report = (outcome: Outcome) => reported.push(outcome);
  const outcomes = await runAttacks(attacks, { baseUrl, seconds: 5, report, ...more });
  expect(reported).toEqual(outcomes);
  return outcomes;
}

describe('npm run attack', () => {
  test('reports what an attack gained, and fails', async () => {
    const outcomes = await played({ strong: knockAt('/strong'), weak: knockAt('/weak') });
    expect(outcomes.map(({ name, kind }) => [name, kind])).toEqual([
      ['strong', 'held'],
      ['weak', 'gained'],
    ]);
    expect(exitCode(outcomes)).toBe(1);
    expect(outcomes.map(describeOutcome)).toEqual([
      'strong: knock at /strong\n  requests  5\n  observed  5 knocks\n  gained    nothing\n',
      'weak: knock at /weak\n  requests  5\n  observed  5 knocks\n  gained    the door opened 5 times\n',
    ]);
  });

  test('passes when everything held', async () => {
    expect(exitCode(await played({ strong: knockAt('/strong') }))).toBe(0);
  });

  test.each<[string, Attack['run'], string]>([
    ['throws', () => Promise.reject(new Error('no inbox here')), 'no inbox here'],
    [
      'sends nothing',
      async () => ({ requests: 0, observed: [], gained: [] }),
      'It sent no request.',
    ],
    ['never ends', () => new Promise(() => undefined), 'It did not end within 0.02 seconds.'],
  ])('does not take it for a service that held when an attack %s', async (_, run, reason) => {
    const broken: Attack = { title: 'broken', run };
    const outcomes = await played({ broken }, { seconds: 0.01, graceSeconds: 0.01 });
    expect(outcomes).toEqual([{ kind: 'failed', name: 'broken', title: 'broken', reason }]);
    expect(outcomes.map(describeOutcome)).toEqual([`broken: broken\n  failed    ${reason}\n`]);
    expect(exitCode(outcomes)).toBe(2);
  });

  test('proves nothing without an attack', () => {
    expect(exitCode([])).toBe(2);
  });
});

describe('the command', () => {
  async function command(...args: string[]) {
    const child = spawn(process.execPath, ['--import', 'tsx', 'test/attacks/run.ts', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const [out, error, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    return { code, out, error };
  }

  test.each([
    ['a service of somebody else', ['--url', 'https://app.example.com'], '--i-own-this'],
    [
      'a name that only looks like this machine',
      ['--url', 'http://localhost.example.com'],
      '--i-own-this',
    ],
    ['what is no address', ['--url', 'localhost'], 'is no address'],
    ['an attack that is not there', ['--only', 'nothing'], 'There is no attack nothing'],
    ['no time', ['--seconds', '0'], '--seconds'],
  ])('refuses %s', async (_, args, says) => {
    const { code, error } = await command(...args);
    expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining(says) });
  });
});
