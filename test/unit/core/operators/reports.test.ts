import { expect, test } from '@jest/globals';
import { ProjectId } from '../../../../contract/fields.ts';
import type { ReportedPage } from '../../../../core/abuse/abuse-reports.ts';
import type { SessionCaller } from '../../../../core/caller.ts';
import { listReports, resolveReports } from '../../../../core/operators/reports.ts';
import { aCaller, aProject } from '../../../fixtures/projects/a-project.ts';

const caller = aCaller() as SessionCaller;
const project = { ...aProject(), ownerId: caller.account.id };
const otherId = ProjectId.parse('1b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a12');
const now = new Date('2026-03-01T12:00:00.000Z');
const openSince = '2026-03-01T11:00:00.000Z';

type Reported = ReportedPage['projects'][number];
function reported(projectId: ProjectId, more: Partial<Reported> = {}): Reported {
  const host = 'demo--pr-1.sites.test';
  const one = { at: openSince, projectId, host, reason: 'phishing', message: 'x' } as const;
  const reports = [{ ...one, number: 3 }];
  return { projectId, host, received: 3, handled: 1, openSince, reports, ...more };
}

function world(open: Reported[]) {
  const resolutions: unknown[] = [];
  const deps = {
    operators: [caller.account.email],
    onAction: () => undefined,
    now: () => now,
    addresses: { siteUrl: (host: string) => `https://${host}/` },
    reports: {
      list: async () => ({ projects: open, next: 'more' }),
      findOpen: async (id: string) => open.find(({ projectId }) => projectId === id),
      resolve: async (...decision: unknown[]) => resolutions.push(decision) + 1,
    },
    projects: { get: async (id: string) => (id === project.id ? project : undefined) },
    accounts: { get: async () => caller.account },
  };
  return { deps: deps as never, resolutions };
}

test('a row has the number of reports, the owner of the project and where the visitor was', async () => {
  const { deps } = world([reported(project.id), reported(otherId, { handled: 0 })]);
  const { projects, nextCursor } = await listReports(deps, caller, { state: 'open', limit: 10 });
  expect(nextCursor).toBe('more');
  expect(projects).toMatchObject([
    {
      count: 2,
      lastNumber: 3,
      project: { url: `https://${project.host}/`, ownerEmail: caller.account.email },
      reports: [{ siteUrl: 'https://demo--pr-1.sites.test/', email: null }],
    },
    { count: 3, project: null },
  ]);
});

test('a decision is stored for the reports that were listed, with who said so and when', async () => {
  const { deps, resolutions } = world([reported(project.id)]);
  const decision = { outcome: 'nothing-wrong', reason: 'A joke.' } as const;
  const input = { projectId: project.id, lastNumber: 2, ...decision };
  expect(await resolveReports(deps, caller, input)).toEqual({ resolved: 2 });
  const at = now.toISOString();
  expect(resolutions).toEqual([
    [project.id, 2, { ...decision, at, operatorId: caller.account.id }],
  ]);
});

test.each([
  ['were resolved', project.id, 1],
  ['have not come', project.id, 4],
  ['have none open', otherId, 1],
  ['are of no project', 'x'.repeat(5000), 1],
])('reports that %s are not decided about', async (_, projectId, lastNumber) => {
  const { deps, resolutions } = world([reported(project.id)]);
  const decision = { projectId, lastNumber, outcome: 'taken-down', reason: 'x' } as const;
  await expect(resolveReports(deps, caller, decision)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(resolutions).toEqual([]);
});
