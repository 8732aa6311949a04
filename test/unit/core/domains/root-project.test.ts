import { expect, test } from '@jest/globals';
import { type RootProjectDeps, updateDomain } from '../../../../core/domains/root-project.ts';

const domainId = '11111111-1111-4111-8111-111111111111';
const projectId = '22222222-2222-4222-8222-222222222222';

/** Whether a project in this state is refused as the root of a domain, and what was written. */
async function refusalOf(project: object | undefined) {
  const written: unknown[] = [];
  const domain = { id: domainId, accountId: 'ada', removingAt: null, name: 'example.com' };
  const deps = {
    domains: {
      get: async () => domain,
      root: async () => undefined,
      holder: async () => undefined,
      setRoot: async (_: unknown, change: unknown) => {
        written.push(change);
        throw new Error('written');
      },
    },
    projects: { get: async () => project },
    now: () => new Date('2026-03-01T12:00:00.000Z'),
  } as unknown as RootProjectDeps;
  const caller = { account: { id: 'ada' } } as never;
  const change = updateDomain(deps, caller, { domainId, rootProjectId: projectId });
  const message = await change.then(
    () => '',
    (error: Error) => error.message,
  );
  return { message, written };
}

test.each([
  ['that does not exist', undefined],
  ['of another domain', { id: projectId, domainId: projectId, removingAt: null }],
  ['of no domain', { id: projectId, domainId: null, removingAt: null }],
  ['that is being removed', { id: projectId, domainId, removingAt: '2026-03-01T00:00:00.000Z' }],
])('a project %s cannot be the root', async (_, project) => {
  const { message, written } = await refusalOf(project);
  expect(message).toContain('rootProjectId');
  expect(written).toEqual([]);
});

test('a project of the domain can', async () => {
  const { written } = await refusalOf({ id: projectId, domainId, removingAt: null });
  expect(written).toMatchObject([{ projectId }]);
});
