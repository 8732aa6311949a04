import { expect, test } from '@jest/globals';
import type { Counters } from '../../../../../core/limits/counters.ts';
import { admitEvent, limitStates } from '../../../../../core/limits/sliding-window.ts';
import { mailboxOf } from '../../../../../core/people/people-list.ts';
import { askForCode, enterCode } from '../../../../../core/visit/access/prove-address.ts';
import { countVisitorGuess } from '../../../../../core/visit/access/visitor-limits.ts';
import { fixedSecret } from '../../../../fixtures/fixed-secret.ts';
import { aSite, noLinks, noRoots, noVisitors, now } from '../../../../fixtures/visits/a-site.ts';

/** Counters in memory, for one time. `rows` has the keys that were stored. */
function memoryCounters() {
  const counts = new Map<string, number>();
  const rows = new Map<string, number[]>();
  const counters: Pick<Counters, 'count' | 'reserve' | 'release'> = {
    async count(key, windowSeconds, _, events = 1) {
      const place = `${key} ${windowSeconds}`;
      const sum = (counts.get(place) ?? 0) + events;
      counts.set(place, sum);
      return sum;
    },
    async reserve(key, rules, at) {
      const times = rows.get(key) ?? [];
      const admission = admitEvent(times, rules, at);
      const limits = limitStates(times, rules, at);
      if (!admission.admitted) return { ...admission, reserved: false, limits };
      rows.set(key, admission.times);
      return { reserved: true, limits };
    },
    async release(key) {
      rows.set(key, (rows.get(key) ?? []).slice(1));
    },
  };
  return { counters, counts, rows };
}

function aPage() {
  const stored = memoryCounters();
  const mailed = new Array<string>();
  const site = aSite({ access: 'identify' });
  const digits = new Array<string>();
  const send = async (email: string, mail: { host: string; digits?: string }) => {
    mailed.push(email);
    digits.push(mail.digits ?? '');
  };
  const deps = {
    counters: stored.counters,
    sites: { get: async () => site },
    roots: noRoots,
    shareLinks: noLinks,
    visitors: { ...noVisitors, admit: async () => undefined },
    visitorMailer: { sendCode: send, sendNotListed: send },
    accessSecret: fixedSecret('a secret of a test'),
    onFailure: () => undefined,
    now: () => now,
  };
  const ask = async (email: string, address: string) => {
    const caller = { address, requestId: 'request' };
    const request = { host: site.host, domainId: null, access: '-', email };
    const outcome = await askForCode(deps, caller, request);
    return outcome.kind === 'too-many' ? outcome.by : outcome.kind;
  };
  const code = async (email: string) => {
    const request = { host: site.host, domainId: null, access: '-', email };
    const asked = await askForCode(deps, { address: '192.0.2.1', requestId: 'r' }, request);
    const token = asked.kind === 'sent' ? asked.token : '';
    return async (entered: string, from: number) => {
      const caller = { address: `198.51.${from}.1`, requestId: 'r' };
      return (await enterCode(deps, caller, { ...request, token, digits: entered })).kind;
    };
  };
  return { ...stored, mailed, digits, ask, code };
}

test('requests that the limit of the project refuses count for the caller, and store no row of an address', async () => {
  const { ask, mailed, rows } = aPage();
  for (let one = 0; one < 300; one += 1) {
    expect(await ask(`a${one}@example.org`, `192.0.${one % 100}.1`)).toBe('sent');
  }
  const before = rows.size;
  for (let one = 0; one < 60; one += 1) {
    expect(await ask(`b${one}@example.org`, '198.51.100.7')).toBe('project');
  }
  expect(await ask('c@example.org', '198.51.100.7')).toBe('caller');
  expect(mailed.length).toBe(300);
  // The two of the caller.
  expect(rows.size).toBe(before + 2);
});

test('a mailbox gets five mails an hour, whatever tags its address has; a refused one counts nowhere else', async () => {
  const { ask, mailed, counts } = aPage();
  const outcomes = new Array<string>();
  for (let one = 0; one < 6; one += 1) {
    outcomes.push(await ask(`anna+${one}@example.org`, `192.0.${one}.1`));
  }
  expect(outcomes).toEqual(['sent', 'sent', 'sent', 'sent', 'sent', 'address']);
  expect(mailed.length).toBe(5);
  expect(new Set(counts.values())).toEqual(new Set([5]));
});

test.each([
  ['bo@y.com', 'bo@y.com'],
  ['bo+tag@y.com', 'bo@y.com'],
  ['bo+a+b@y.com', 'bo@y.com'],
  ['+bo@y.com', '+bo@y.com'],
  ['@y.com', '@y.com'],
])('the mailbox of %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});

test('a project takes 300 wrong codes in a day, whichever addresses they are for; a right one is given back', async () => {
  const { counters } = memoryCounters();
  const { projectId } = aSite();
  const guess = () => countVisitorGuess(counters, projectId, now);
  await (await guess())?.release();
  for (let one = 0; one < 300; one += 1) expect(await guess()).toBeDefined();
  expect(await guess()).toBeUndefined();
  expect(await guess()).toBeUndefined();
});

test('a code is compared five times, also when fifty networks enter one at once', async () => {
  const { code, digits } = aPage();
  const enter = await code('anna@example.org');
  const wrong = digits[0] === '000000' ? '000001' : '000000';
  const kinds = await Promise.all(Array.from({ length: 50 }, (_, from) => enter(wrong, from)));
  expect(kinds.filter((kind) => kind === 'wrong')).toHaveLength(5);
  expect(kinds.filter((kind) => kind === 'ended')).toHaveLength(45);
  expect(await enter(digits[0] ?? '', 60)).toBe('ended');
});
