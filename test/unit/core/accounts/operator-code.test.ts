import { expect, test } from '@jest/globals';
import { MemorySignIn } from '../../../fixtures/accounts/memory-sign-in.ts';

const email = 'owner@example.org';
const minute = 60_000;

test('an operator gets a code that no mail has, and that signs in once', async () => {
  const service = new MemorySignIn();
  const { body: made } = await service.operatorCode(email);
  expect(made).toMatchObject({ kind: 'code', digits: expect.stringMatching(/^\d{6}$/) });
  expect(service.mails).toEqual([]);
  const proof = { email, code: made.digits };
  expect((await service.verify('192.0.2.7', proof)).code).toBe('OK');
  expect((await service.verify('192.0.2.7', proof)).code).not.toBe('OK');
});

test('no limit of mails applies to it, and it uses up none of theirs', async () => {
  const service = new MemorySignIn();
  await service.operatorCode(email);
  expect((await service.operatorCode(email)).body).toEqual({ kind: 'wait', seconds: 60 });
  for (let sent = 0; sent < 5; sent += 1) {
    service.at += minute;
    expect((await service.operatorCode(email)).body.kind).toBe('code');
  }
  service.at += minute;
  expect((await service.request('192.0.2.7', email, true)).body.data.sent).toBe(true);
});

test('strangers who use up the mails and tries of an address do not keep the operator from it', async () => {
  const service = new MemorySignIn();
  for (let index = 0; index < 4; index += 1) {
    const stranger = `198.51.100.${index}`;
    await service.request(stranger, email, true);
    for (let tries = 0; tries < 6; tries += 1) {
      await service.verify(stranger, { email, code: service.wrongDigits(email) });
    }
    service.at += minute;
  }
  expect((await service.request('192.0.2.7', email)).code).toBe('RATE_LIMITED');
  const { body: made } = await service.operatorCode(email);
  expect(made.kind).toBe('code');
  const proof = { email, code: made.digits, attemptToken: made.longCode };
  expect((await service.verify('192.0.2.7', proof)).code).toBe('OK');
});

test('while a code that was mailed is open, the operator reads the same one', async () => {
  const service = new MemorySignIn();
  await service.request('192.0.2.7', email);
  service.at += minute;
  const { body: made } = await service.operatorCode(email);
  expect(made.digits).toBe(service.inbox(email)?.digits);
});

test('two operators at once: one gets the code', async () => {
  const service = new MemorySignIn(() => new Promise((resolve) => setImmediate(resolve)));
  const made = await Promise.all([service.operatorCode(email), service.operatorCode(email)]);
  expect(new Set(made.map(({ body }) => body.kind))).toEqual(new Set(['code', 'wait']));
});

test('where nobody may sign up, a stranger gets none', async () => {
  const service = new MemorySignIn();
  expect((await service.operatorCode(email, 'closed')).body).toEqual({ kind: 'no-sign-up' });
});

test.each([1, 3, 5])(
  'an address gets %d mails an hour where the setting says so',
  async (limit) => {
    const service = new MemorySignIn();
    service.mailsPerHour = limit;
    const codes: string[] = [];
    for (let sent = 0; sent <= limit; sent += 1) {
      codes.push((await service.request('192.0.2.7', email, true)).code);
      service.at += minute;
    }
    expect(codes).toEqual([...Array(limit).fill('OK'), 'RATE_LIMITED']);
    expect(service.mails).toHaveLength(limit);
  },
);
