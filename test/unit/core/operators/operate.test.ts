import { describe, expect, test } from '@jest/globals';
import { listAccounts, setAccountPlan } from '../../../../core/operators/accounts.ts';
import {
  type OperateDeps,
  liftTakedown,
  suspendAccount,
  takeDownProject,
  unsuspendAccount,
} from '../../../../core/operators/operate.ts';
import { listReports, resolveReports } from '../../../../core/operators/reports.ts';
import {
  createInvitation,
  deleteInvitation,
  listInvitations,
} from '../../../../core/operators/invite.ts';
import type { SessionCaller } from '../../../../core/caller.ts';
import { aCaller, aProject } from '../../../fixtures/projects/a-project.ts';

const caller = aCaller() as SessionCaller;
const { email, id } = caller.account;

/** Dependencies that fail when anything is read or written. */
function untouched(operators: readonly string[]): OperateDeps {
  const actions: unknown[] = [];
  const deps = { operators, onAction: (action: unknown) => actions.push(action), actions };
  return deps as unknown as OperateDeps;
}

const target = { target: aProject().id, reason: 'Phishing.' };

const openReports = { state: 'open', limit: 1 } as const;
const decision = { projectId: id, lastNumber: 1, outcome: 'taken-down', reason: 'x' } as const;

describe.each<[string, (deps: OperateDeps) => Promise<unknown>]>([
  ['reports', (deps) => listReports(deps, caller, openReports)],
  ['a decision', (deps) => resolveReports(deps, caller, decision)],
  ['a takedown', (deps) => takeDownProject(deps, caller, target)],
  ['a release', (deps) => liftTakedown(deps, caller, { projectId: target.target })],
  ['accounts', (deps) => listAccounts(deps as never, caller, { limit: 1 })],
  ['a plan', (deps) => setAccountPlan(deps as never, caller, { accountId: id, plan: 'pro' })],
  ['a suspension', (deps) => suspendAccount(deps, caller, { accountId: id, reason: 'x' })],
  ['invitations', (deps) => listInvitations(deps as never, caller)],
  ['an invitation', (deps) => createInvitation(deps as never, caller, { email })],
  ['its withdrawal', (deps) => deleteInvitation(deps as never, caller, { email })],
  ['its end', (deps) => unsuspendAccount(deps, caller, { accountId: id })],
])('%s', (_, ask) => {
  test.each([
    ['nobody is an operator', []],
    ['somebody else is', [`x${email}`, 'other@example.org', '']],
  ])('does not exist, and nothing is read or logged, where %s', async (__, operators) => {
    const deps = untouched(operators);
    await expect(ask(deps)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(deps).toMatchObject({ actions: [] });
  });
});

test('an operator is named by their mailbox, however it is written', async () => {
  const deps = {
    ...untouched([` ${email.toUpperCase()}`]),
    reports: { list: async () => ({ projects: [] }) },
    now: () => new Date(0),
  };
  expect(await listReports(deps as never, caller, openReports)).toEqual({
    projects: [],
    nextCursor: null,
  });
});

test('an operator is not suspended by another, and the try is logged', async () => {
  const deps = {
    ...untouched([email]),
    accounts: {
      get: async () => caller.account,
      findByEmail: async () => caller.account,
      closeAgain: async () => false,
    },
  };
  await expect(suspendAccount(deps, caller, { accountId: id, reason: 'x' })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  });
  expect(deps).toMatchObject({ actions: [{ action: 'suspend', operatorId: id, target: id }] });
});

test('an address that is invited again within a day gets no further mail', async () => {
  const stored: { put?: unknown } = {};
  const mails: string[] = [];
  let at = new Date('2026-01-01T00:00:00Z');
  const deps = {
    ...untouched([email]),
    signUpPolicy: 'invite',
    baseUrl: 'https://app.example',
    accounts: { findByEmail: async () => undefined },
    invitations: {
      put: async (invitation: unknown) => {
        const earlier = stored.put;
        stored.put = invitation;
        return earlier;
      },
    },
    mailInvitation: async (to: string) => mails.push(to) > 0,
    now: () => at,
  };
  const inviteAt = async (time: string) => {
    at = new Date(time);
    return createInvitation(deps as never, caller, { email: 'guest@example.org' });
  };
  expect(await inviteAt('2026-01-01T00:00:00Z')).toMatchObject({ mailed: true });
  expect(await inviteAt('2026-01-01T23:59:59Z')).toMatchObject({ mailed: false });
  expect(await inviteAt('2026-01-03T00:00:00Z')).toMatchObject({ mailed: true });
  expect(mails).toHaveLength(2);
});
