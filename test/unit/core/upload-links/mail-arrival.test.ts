import { expect, test } from '@jest/globals';
import type { Account } from '../../../../core/accounts/account.ts';
import { CodedError } from '../../../../core/errors.ts';
import { instant, plusSeconds } from '../../../../core/instants.ts';
import { mailArrival, mailRequest } from '../../../../core/upload-links/mail-arrival.ts';
import { noteReceived } from '../../../../core/upload-links/note-arrival.ts';
import { receiptOf } from '../../../../core/upload-links/receipt-limits.ts';
import type { NoticeKey } from '../../../../core/ports.ts';
import { addresses } from '../../../../core/projects/addresses/addresses.ts';
import { fixedSecret } from '../../../fixtures/fixed-secret.ts';
import { countersAfter, memoryCounters } from '../../../fixtures/memory-counters.ts';
import { aCaller, aProject, aVersion } from '../../../fixtures/projects/a-project.ts';
import {
  anArrival,
  anUploadLink,
  MemoryUploadLinks,
} from '../../../fixtures/uploads/memory-upload-links.ts';
import { now } from '../../../fixtures/visits/a-site.ts';

const at = now.toISOString();

/** Notices in memory: when the mail of each is due. */
class World {
  at = now;
  readonly mails: { to: string; [field: string]: unknown }[] = [];
  readonly failures: unknown[] = [];
  readonly links = new MemoryUploadLinks();
  readonly due = new Map<string, { key: NoticeKey; lastAt: string; dueAt: string }>();
  account: Partial<Account> = {};
  refusal: Error | undefined;
  deps;

  constructor(counters = memoryCounters()) {
    const publishedBy = { kind: 'link', id: 'link', name: null } as const;
    const send = async (to: string, mail: object) => {
      if (this.refusal !== undefined) throw this.refusal;
      this.mails.push({ to, ...mail });
    };
    const lastOf = (key: object) => this.due.get(JSON.stringify(key))?.lastAt ?? at;
    this.deps = {
      projects: {
        get: async () => aProject(),
        listVersions: async () => [aVersion({ publishedBy })],
      },
      accounts: { get: async () => aCaller(this.account).account },
      addresses: addresses('https://app.test', 'sites.test'),
      links: this.links,
      notices: {
        note: async (key: NoticeKey, event: { at: string; dueAt: string }) => {
          const dueAt = this.due.get(JSON.stringify(key))?.dueAt ?? event.dueAt;
          this.due.set(JSON.stringify(key), { key, lastAt: event.at, dueAt });
        },
        lease: async (key: object) => lastOf(key),
        end: async (key: object) => void this.due.delete(JSON.stringify(key)),
      },
      counters,
      arrivalMailer: { sendArrival: send, sendRequestMail: send, sendReceipt: send },
      accessSecret: fixedSecret('a secret of a test'),
      onFailure: (item: unknown) => void this.failures.push(item),
      now: () => this.at,
    };
  }

  /** Opens a file request that mails its owner and those who send. */
  async open() {
    const request = { maxUploads: 500, private: true, receipts: true };
    await this.links.create('hash', anUploadLink({ notify: true, request }));
  }

  /** One more upload arrives and is published. */
  async arrive(email: string | null = 'anna@example.org', address = '192.0.2.1') {
    const link = await this.link();
    const number = (await this.links.take('hash', instant(now))) ?? 0;
    const guest = { ...aCaller(), address };
    const mailed = await receiptOf(this.deps, { guest, link }, email);
    const received = { ...anArrival(number), senderEmail: email };
    await this.links.addReceived('hash', link, { ...received, ...mailed });
    await noteReceived(this.deps, { tokenHash: 'hash', link: await this.link() }, number);
  }

  async link() {
    const link = await this.links.find('hash');
    if (link === undefined) throw new Error('there is no link');
    return link;
  }

  /** Sends what is due, and returns its receivers. */
  async sweep(seconds = 0) {
    this.at = plusSeconds(this.at, seconds);
    for (const { key, dueAt } of this.due.values())
      if ('requestHash' in key && dueAt <= instant(this.at))
        await mailRequest(this.deps, key, this.at);
    return this.mails.splice(0);
  }
}

/** The mails about files that arrived by a link. */
async function mailed(account: Partial<Account> = {}, mailsBefore = 0) {
  const { id } = aCaller().account;
  const world = new World(countersAfter(`arrival-mails#${id}`, mailsBefore, now));
  world.account = account;
  await mailArrival(world.deps, { projectId: aProject().id, linkId: 'link' }, now);
  return world.mails;
}

test('the owner gets a mail, with a link that stops such mails', async () => {
  const { email, id } = aCaller().account;
  const stopToken = expect.stringMatching(new RegExp(`^uploads\\.-\\.${id}\\.`));
  expect(await mailed()).toMatchObject([{ to: email, stopToken }]);
});

test.each<[string, Partial<Account>, number]>([
  ['who wants none', { mailsOff: new Set(['uploads']) }, 0],
  ['whose account is suspended', { suspendedAt: at }, 0],
  ['who had 25 such mails today', {}, 25],
])('an owner %s gets none', async (_, account, mailsBefore) => {
  expect(await mailed(account, mailsBefore)).toEqual([]);
});

test('what arrives within an hour of a mail is in one other mail', async () => {
  const world = new World();
  const owner = aCaller().account.email;
  await world.open();
  await world.arrive(null);
  await world.arrive(null);
  expect(await world.sweep()).toMatchObject([{ to: owner, uploads: 2, bytes: 2, received: 2 }]);
  for (let count = 0; count < 30; count += 1) await world.arrive(null);
  expect(await world.sweep(3599)).toEqual([]);
  expect(await world.sweep(1)).toMatchObject([{ to: owner, uploads: 30, received: 32 }]);
  expect(await world.sweep(7200)).toEqual([]);
  await world.arrive(null);
  expect(await world.sweep()).toMatchObject([{ uploads: 1 }]);
});

test('an upload that could not be published is in no mail', async () => {
  const world = new World();
  await world.open();
  await world.arrive();
  await world.links.giveBack('hash', 1);
  expect(await world.sweep()).toEqual([]);
});

test('a sender gets a receipt without a word of the sender or the owner', async () => {
  const world = new World();
  await world.open();
  await world.arrive();
  const [, receipt] = await world.sweep();
  expect(receipt).toEqual({
    to: 'anna@example.org',
    number: 1,
    receivedAt: at,
    fileCount: 1,
    bytes: 1,
    asker: aCaller().account.email,
  });
  expect(await world.sweep(600)).toEqual([]);
});

/** How many receipts were mailed of so many uploads. */
async function receipts(uploads: number, from: (number: number) => [email: string, ip: string]) {
  const world = new World();
  await world.open();
  for (let number = 1; number <= uploads; number += 1) await world.arrive(...from(number));
  return (await world.sweep()).filter((mail) => 'asker' in mail).length;
}

test.each<[string, number, (number: number) => [string, string]]>([
  ['three a day to one mailbox, whatever its tags', 3, (n) => [`a+${n}@x.test`, `10.0.${n}.1`]],
  [
    'three a day to one mailbox, however it is written',
    3,
    (n) => [n % 2 === 0 ? `Bo+${n}@X.test` : 'bO@x.TEST', `10.0.${n}.1`],
  ],
  ['twenty a day from one address', 20, (n) => [`a${n}@x.test`, '192.0.2.1']],
  ['sixty a day from one network', 60, (n) => [`a${n}@x.test`, `192.0.2.${n % 250}`]],
  ['a hundred a day of one request', 100, (n) => [`a${n}@x.test`, `10.0.${n}.1`]],
])('receipts are at most %s', async (_, most, from) => {
  expect(await receipts(200, from)).toBe(most);
});

test('one mailbox gets at most ten receipts in 30 days, an account sends 200 a day, and all of them 250 an hour', async () => {
  const world = new World();
  await world.open();
  let mails = 0;
  for (let day = 0; day < 25; day += 1) {
    for (let count = 0; count < 3; count += 1) await world.arrive('bo@x.test', `10.${day}.0.1`);
    mails += (await world.sweep()).filter((mail) => 'asker' in mail).length;
    world.at = plusSeconds(world.at, 86_400);
  }
  expect(mails).toBe(10);
  const { id } = aCaller().account;
  const full = new World(countersAfter(`receipts-of#${id}`, 200, now));
  await full.open();
  await full.arrive();
  expect((await full.sweep()).map(({ to }) => to)).toEqual([aCaller().account.email]);
  const counters = memoryCounters();
  await counters.count('mailed-receipts', 3600, now, 250);
  const busy = new World(counters);
  await busy.open();
  await busy.arrive();
  expect((await busy.sweep()).map(({ to }) => to)).toEqual([aCaller().account.email]);
});

test.each<[string, Error, number]>([
  [
    'that SES refuses is nobody’s failure',
    new CodedError('INVALID_REQUEST', { error: 'no', details: [] }),
    0,
  ],
  ['that cannot be sent is a failure', new Error('SES is away'), 1],
])('a receipt %s, and it is not sent again', async (_, refusal, failures) => {
  const world = new World();
  await world.open();
  const link = await world.link();
  world.links.rows.set('hash', { ...link, notify: undefined } as typeof link);
  await world.arrive();
  world.refusal = refusal;
  await world.sweep();
  world.refusal = undefined;
  expect([await world.sweep(3600), world.failures.length]).toEqual([[], failures]);
});

test.each<[string, Partial<Account>]>([
  ['suspended', { suspendedAt: at }],
  ['deleted', { suspendedAt: at, closedAt: at }],
])('an account that is %s sends no receipts', async (_, account) => {
  const world = new World();
  await world.open();
  await world.arrive();
  world.account = account;
  expect(await world.sweep()).toEqual([]);
});
