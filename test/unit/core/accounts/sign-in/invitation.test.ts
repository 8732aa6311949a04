import { expect, test } from '@jest/globals';
import type { Tier } from '../../../../../contract/fields.ts';
import { invite } from '../../../../../core/operators/invite.ts';
import { MemorySignIn } from '../../../../fixtures/accounts/memory-sign-in.ts';

const network = '192.0.2.7';
const email = 'ada@example.org';

/** Invites an address into the service, as an operator does. */
function inviteTo(service: MemorySignIn, address: string, plan?: Tier) {
  const { signUpPolicy, invitations } = service;
  const accounts = { findByEmail: async () => undefined };
  const now = () => new Date(service.at);
  const deps = { accounts, invitations, signUpPolicy, baseUrl: 'https://app.example.com', now };
  return invite(deps, { email: address, plan });
}

/** Whether an address gets a code, and the account that the code opens. */
async function signUp(service: MemorySignIn, address = email) {
  await service.request(network, address);
  const mail = service.inbox(address);
  if (mail === undefined) return undefined;
  const { code, body } = await service.verify(network, { email: address, code: mail.digits });
  expect(code).toBe('OK');
  return body;
}

test.each([
  ['open', [], true],
  ['open', ['example.org'], true],
  ['open', ['example.com', 'org'], false],
  ['invite', [], false],
  ['invite', ['example.org'], false],
  ['closed', [], false],
] as const)(
  'where sign-up is %s, for %j, a stranger gets a code: %s',
  async (policy, domains, yes) => {
    const service = new MemorySignIn();
    service.signUpPolicy = policy;
    service.allowedEmailDomains = [...domains];
    expect((await signUp(service)) !== undefined).toBe(yes);
  },
);

test('an invitation lets one address sign up, with its plan, and says when', async () => {
  const service = new MemorySignIn();
  service.signUpPolicy = 'invite';
  const { url } = await inviteTo(service, ' Ada@Example.org ', 'agency');
  expect(url).toBe('https://app.example.com/dashboard/sign-in?email=ada%40example.org');
  expect(await signUp(service, 'other@example.org')).toBeUndefined();
  expect(await signUp(service)).toMatchObject({ email, tier: 'agency', trialEndsAt: null });
  expect(service.invited.get(email)).toMatchObject({
    joinedAt: new Date(service.at).toISOString(),
  });
});

test('an invitation lets one account in: not another one after a change of address, but after a deletion', async () => {
  const service = new MemorySignIn();
  service.signUpPolicy = 'invite';
  await inviteTo(service, email, 'agency');
  await signUp(service);
  service.moveAccount(email, 'moved@example.org');
  service.at += 3_600_000;
  await service.request(network, email);
  expect(service.mails.filter((mail) => mail.email === email)).toHaveLength(1);
  service.moveAccount('moved@example.org', undefined);
  service.at += 3_600_000;
  expect(await signUp(service)).toMatchObject({ email, tier: 'agency' });
});

test('an invitation without a plan begins with a trial, as every new account does', async () => {
  const service = new MemorySignIn();
  service.allowedEmailDomains = ['example.com'];
  await inviteTo(service, email);
  expect(await signUp(service)).toMatchObject({ tier: 'free', trialEndsAt: expect.any(String) });
});

test('where every new account has a plan that is paid for, none has a trial', async () => {
  const service = new MemorySignIn();
  service.defaultPlan = 'scale';
  expect(await signUp(service)).toMatchObject({ tier: 'scale', trialEndsAt: null });
  await inviteTo(service, 'bea@example.org', 'free');
  expect(await signUp(service, 'bea@example.org')).toMatchObject({
    tier: 'free',
    trialEndsAt: null,
  });
});

test('an invitation ends after thirty days, and nobody is invited while sign-up is closed', async () => {
  const service = new MemorySignIn();
  service.signUpPolicy = 'invite';
  await inviteTo(service, email);
  service.at += 30 * 86_400_000;
  expect(await signUp(service)).toBeUndefined();
  service.signUpPolicy = 'closed';
  await expect(inviteTo(service, email)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});
