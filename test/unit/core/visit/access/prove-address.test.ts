import { randomUUID } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import { ProjectId } from '../../../../../contract/fields.ts';
import type { Counters } from '../../../../../core/limits/counters.ts';
import { admitEvent, limitStates } from '../../../../../core/limits/sliding-window.ts';
import { CodedError } from '../../../../../core/errors.ts';
import { plusSeconds } from '../../../../../core/instants.ts';
import type { Visitor } from '../../../../../core/people/visitor.ts';
import { mailboxOf } from '../../../../../core/people/people-list.ts';
import { askForCode, enterCode } from '../../../../../core/visit/access/prove-address.ts';
import {
  countVisitorGuess,
  isMailedWhileBusy,
  type KnownReader,
} from '../../../../../core/visit/access/visitor-limits.ts';
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

function aPage(people?: string[]) {
  const stored = memoryCounters();
  const mailed = new Array<string>();
  const site = aSite(
    people === undefined
      ? { access: 'identify' }
      : { access: 'people', peopleStamp: 'abcdefghijkl' },
  );
  const digits = new Array<string>();
  const longCodes = new Array<string>();
  const hosts = new Array<string>();
  const admitted = new Map<string, Visitor>();
  let at = now;
  const send = async (
    email: string,
    mail: { host: string; digits?: string; longCode?: string },
  ) => {
    mailed.push(email);
    hosts.push(mail.host);
    digits.push(mail.digits ?? '');
    longCodes.push(mail.longCode ?? '');
  };
  const deps = {
    counters: stored.counters,
    sites: { get: async () => site },
    roots: noRoots,
    shareLinks: noLinks,
    visitors: {
      ...noVisitors,
      find: async (_: unknown, id: string) => admitted.get(id),
      listOf: async (_: unknown, stamp: string) =>
        people && { stamp, people, deniedPeople: new Array<string>() },
      admit: async (visitor: Visitor) => void admitted.set(visitor.id, visitor),
    },
    visitorMailer: { sendCode: send, sendNotListed: send },
    accessSecret: fixedSecret('a secret of a test'),
    pause: async () => undefined,
    onFailure: () => undefined,
    now: () => at,
  };
  const ask = async (email: string, address: string) => {
    const caller = { address, requestId: 'request' };
    const request = { host: site.host, domainId: null, access: '-', email };
    const outcome = await askForCode(deps, caller, request);
    if (outcome.kind === 'sent' && outcome.busySeconds !== undefined) return 'busy';
    return outcome.kind === 'too-many' ? outcome.by : outcome.kind;
  };
  /** Enters a code without the token of a page. */
  const enterLong = async (email: string, entered: string, later = 0) => {
    at = plusSeconds(now, later);
    const request = { host: site.host, domainId: null, access: '-', email, token: '' };
    const caller = { address: '198.51.100.7', requestId: 'r' };
    return (await enterCode(deps, caller, { ...request, digits: entered })).kind;
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
  return { ...stored, deps, mailed, hosts, digits, longCodes, admitted, ask, code, enterLong };
}

/** Uses up what strangers may have a project send in an hour. */
async function fill({ ask, mailed }: Pick<ReturnType<typeof aPage>, 'ask' | 'mailed'>) {
  for (let one = mailed.length; one < 500; one += 1) {
    expect(await ask(`a${one}@many.example`, `192.0.${one % 100}.1`)).toBe('sent');
  }
}

test('a mail names the host of the project, not a preview that anybody may invent', async () => {
  const { deps, hosts } = aPage();
  const { host } = aSite();
  for (const name of ['your-parcel-waits', 'v99']) {
    const visited = host.replace('.', `--${name}.`);
    const request = { host: visited, domainId: null, access: '-', email: 'anna@example.org' };
    await askForCode(deps, { address: '192.0.2.1', requestId: 'r' }, request);
  }
  expect(hosts).toEqual([host, host]);
});

test('a project whose mails are used up sends nothing, and what asks for more counts for its caller', async () => {
  const page = aPage();
  await fill(page);
  for (let one = 0; one < 60; one += 1) {
    expect(await page.ask(`b${one}@example.org`, '198.51.100.7')).toBe('busy');
  }
  const before = page.rows.size;
  expect(await page.ask('c@example.org', '198.51.100.7')).toBe('caller');
  expect([page.mailed.length, page.rows.size]).toEqual([500, before]);
});

test('whom the owner knows gets a code all the same, and the answer does not tell', async () => {
  const page = aPage(['anna@example.org', '@y.example']);
  const enter = await page.code('bo@y.example');
  expect(await enter(page.digits[0] ?? '', 1)).toBe('admitted');
  await fill(page);
  const before = page.mailed.length;
  const emails = ['anna@example.org', 'bo@y.example', 'new@y.example', 'eve@example.org'];
  const outcomes = await Promise.all(emails.map((email, at) => page.ask(email, `203.0.${at}.1`)));
  expect(new Set(outcomes)).toEqual(new Set(['busy']));
  expect(page.mailed.slice(before)).toEqual(['anna@example.org', 'bo@y.example']);
});

function expectBetween(mails: number, least: number, most: number) {
  expect(mails).toBeGreaterThanOrEqual(least);
  expect(mails).toBeLessThanOrEqual(most);
}

const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);

test('nobody sees by the next own mail whether the address before was listed: no limit is exact', async () => {
  const { counters } = aPage();
  const mails = new Array<boolean>();
  for (let one = 0; one < 100; one += 1) {
    const reader = { projectId: aSite().projectId, ownerId: 'o', known: 'listed' as const };
    mails.push(await isMailedWhileBusy(counters, { ...reader, email: `r${one}@example.org` }, now));
  }
  expect(mails.slice(0, 50)).not.toContain(false);
  expect(new Set(mails.slice(50))).toEqual(new Set([true, false]));
});

test('known readers beyond that are a hundred an hour for an owner, whoever else asks', async () => {
  const listed = Array.from({ length: 600 }, (_, at) => `reader${at}@example.org`);
  const page = aPage(['@many.example', ...listed]);
  await fill(page);
  for (let one = 0; one < 200; one += 1) await page.ask(`eve${one}@example.org`, `198.18.${one}.1`);
  expect(page.mailed.length).toBe(500);
  const outcomes = new Set<string>();
  for (const [at, email] of listed.entries()) {
    outcomes.add(await page.ask(email, `198.51.${at % 200}.1`));
  }
  expect(outcomes).toEqual(new Set(['busy']));
  expectBetween(page.mailed.length, 550, 600);
});

test('one owner’s known readers get a hundred mails an hour, five hundred a day, and take nothing from another’s', async () => {
  const counts = new Map<string, number>();
  const counters = {
    async count(key: string, windowSeconds: number, at: Date) {
      const window = `${key} ${windowSeconds} ${Math.floor(at.getTime() / 1000 / windowSeconds)}`;
      counts.set(window, (counts.get(window) ?? 0) + 1);
      return counts.get(window) ?? 0;
    },
  };
  const aReader = (ownerId: string, name: string) => ({
    ownerId,
    projectId: aSite().projectId,
    email: `${name}@${ownerId}.example`,
  });
  const mailed = async (
    ownerId: string,
    hour: number,
    count: number,
    known: KnownReader = 'listed',
  ) => {
    let sent = 0;
    for (let one = 0; one < count; one += 1) {
      const at = plusSeconds(new Date('2026-03-01T00:00:00Z'), hour * 3600);
      if (await isMailedWhileBusy(counters, { ...aReader(ownerId, `${known}${one}`), known }, at))
        sent += 1;
    }
    return sent;
  };
  const ofDay = new Array<number>();
  for (let hour = 0; hour < 12; hour += 1) ofDay.push(await mailed('one', hour, 510));
  for (const mails of ofDay.slice(0, 2)) expectBetween(mails, 50, 100);
  expectBetween(sum(ofDay), 250, 500);
  expect(ofDay.at(-1)).toBe(0);
  // What the owner's limits refused has taken nothing from the installation's five hundred of that hour.
  const sent = new Array<number>();
  for (let owner = 0; owner < 12; owner += 1) sent.push(await mailed(`other${owner}`, 11, 200));
  expectBetween(sent[0] ?? 0, 50, 100);
  expectBetween(sum(sent), 250, 500);
  expect(sent.at(-1)).toBe(0);
  expect(await mailed('one', 24, 1)).toBe(1);
  // Whoever came before by a listed domain takes nothing from whom the owner listed by address.
  for (let hour = 25; hour < 36; hour += 1) await mailed('one', hour, 200, 'returning');
  expect(await mailed('one', 36, 200, 'returning')).toBe(0);
  expect(await mailed('one', 36, 40)).toBe(40);
});

test('a listed reader who asks again gets two mails an hour there, and so takes nothing from the others', async () => {
  const listed = Array.from({ length: 60 }, (_, at) => `reader${at}@example.org`);
  const page = aPage(listed);
  await fill(page);
  for (let one = 0; one < 200; one += 1) {
    await page.ask(`reader${one % 20}@example.org`, `198.51.${one}.1`);
  }
  expect(page.mailed.length).toBe(540);
  expect(await page.ask('reader55@example.org', '203.0.113.1')).toBe('busy');
  expect(page.mailed.at(-1)).toBe('reader55@example.org');
});

test('a listed reader gets a mail of the page all the same where strangers used up those to the mailbox', async () => {
  const page = aPage(['anna+client@example.org', 'bob@example.org']);
  for (let one = 0; one < 5; one += 1) await page.ask(`anna+z${one}@example.org`, '192.0.2.1');
  const mailbox = 'visitor-mails-to#bob@example.org';
  for (let one = 0; one < 20; one += 1)
    await page.counters.reserve(mailbox, [{ limit: 20, windowSeconds: 3600 }], now);
  const before = page.mailed.length;
  for (const email of ['anna+client@example.org', 'bob@example.org', 'anna+z9@example.org']) {
    for (let one = 0; one < 3; one += 1)
      expect(await page.ask(email, '203.0.113.1')).toBe('address');
  }
  const [anna, bob] = ['anna+client@example.org', 'bob@example.org'];
  expect(page.mailed.slice(before)).toEqual([anna, anna, bob, bob]);
  expect(await page.enterLong('bob@example.org', page.longCodes.at(-1) ?? '')).toBe('admitted');
});

test('an owner fills nobody’s mailbox by listing it for many pages', async () => {
  const { counters } = aPage();
  let mails = 0;
  for (let one = 0; one < 40; one += 1) {
    const projectId = ProjectId.parse(randomUUID());
    const reader = { projectId, ownerId: 'o', known: 'listed' as const, email: 'a@example.org' };
    if (await isMailedWhileBusy(counters, reader, now)) mails += 1;
  }
  expectBetween(mails, 5, 10);
});

test('whoever proves an address to a page that is open to all who do is a stranger all the same', async () => {
  const page = aPage(undefined);
  const enter = await page.code('eve@many.example');
  expect(await enter(page.digits[0] ?? '', 1)).toBe('admitted');
  await fill(page);
  expect(await page.ask('eve@many.example', '203.0.113.1')).toBe('busy');
  expect(page.mailed.length).toBe(500);
});

test('while a page is busy, every answer takes as long, and none tells that no mail can be sent', async () => {
  const page = aPage(['anna@example.org']);
  await fill(page);
  const times = new Array<string>();
  page.deps.pause = async () => void times.push('pause');
  page.deps.visitorMailer.sendCode = async () => {
    throw new CodedError('UNAVAILABLE', { error: 'SES is paused' });
  };
  expect(await page.ask('anna@example.org', '203.0.113.1')).toBe('busy');
  expect(await page.ask('eve@example.org', '203.0.113.2')).toBe('busy');
  expect(times).toEqual(['pause', 'pause']);
});

test('one network causes a hundred mails an hour, of all pages', async () => {
  const { ask } = aPage();
  const outcomes = new Array<string>();
  for (let one = 0; one < 101; one += 1) {
    outcomes.push(await ask(`a${one}@example.org`, `192.0.2.${one}`));
  }
  expect(outcomes.slice(99)).toEqual(['sent', 'network']);
});

describe('the long code of a mail', () => {
  const hours = 3600;
  async function aMail() {
    const page = aPage();
    await page.ask('anna@example.org', '192.0.2.1');
    return { ...page, longCode: page.longCodes[0] ?? '' };
  }

  test('needs no page, and lets in once, however it is written', async () => {
    const { enterLong, longCode, admitted } = await aMail();
    expect(longCode).toMatch(/^([b-z]{4}-){5}[b-z]{4}$/);
    const written = ` ${longCode.toUpperCase().replaceAll('-', ' ')} `;
    expect(await enterLong('anna@example.org', written, 23 * hours)).toBe('admitted');
    expect(await enterLong('anna@example.org', longCode, 23 * hours)).toBe('open');
    expect(admitted.size).toBe(1);
  });

  test('is for its address, and ends with the next day', async () => {
    const { enterLong, longCode } = await aMail();
    expect(await enterLong('anna+x@example.org', longCode)).toBe('wrong');
    expect(await enterLong('anna@example.org', `bcdf${longCode.slice(4)}`)).toBe('wrong');
    expect(await enterLong('anna@example.org', longCode, 48 * hours)).toBe('wrong');
  });

  test('works where strangers used up the mails of an address and the wrong codes of the page', async () => {
    const page = await aMail();
    const asked = new Array<string>();
    for (let one = 0; one < 5; one += 1) {
      asked.push(await page.ask('anna@example.org', `203.0.${one}.1`));
    }
    expect(asked.at(-1)).toBe('address');
    const { projectId } = aSite();
    for (let one = 0; one < 300; one += 1) await countVisitorGuess(page.counters, projectId, now);
    for (const longCode of page.longCodes) {
      expect(await page.enterLong('anna@example.org', longCode)).toBe('admitted');
    }
  });
});

test('what is no address has no code, whatever its length', async () => {
  const page = aPage(['anna@example.org']);
  const normalize = jest.spyOn(String.prototype, 'normalize');
  expect(await page.enterLong(`${'\u0344\u0316'.repeat(10_000)}@example.org`, '123456')).toBe(
    'ended',
  );
  const lengths = normalize.mock.contexts.map((text) => String(text).length);
  normalize.mockRestore();
  expect(Math.max(0, ...lengths)).toBeLessThan(300);
});

test('the tags of a mailbox get five mails an hour together, apart from its plain address', async () => {
  const { ask, mailed, counts } = aPage();
  const outcomes = new Array<string>();
  for (let one = 0; one < 6; one += 1) {
    outcomes.push(await ask(`anna+${one}@example.org`, `192.0.${one}.1`));
  }
  expect(outcomes).toEqual(['sent', 'sent', 'sent', 'sent', 'sent', 'address']);
  expect(mailed.length).toBe(5);
  const ofMails = [...counts].filter(([key]) => !key.startsWith('others-'));
  expect(new Set(ofMails.map(([, count]) => count))).toEqual(new Set([5]));
  expect(await ask('anna@example.org', '192.0.9.1')).toBe('sent');
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
