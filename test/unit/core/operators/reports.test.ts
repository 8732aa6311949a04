import { expect, test } from '@jest/globals';
import { ProjectId } from '../../../../contract/fields.ts';
import type { AbuseReport } from '../../../../core/abuse/report-abuse.ts';
import type { SessionCaller } from '../../../../core/caller.ts';
import { listReports, resolveReport } from '../../../../core/operators/reports.ts';
import { aCaller, aProject } from '../../../fixtures/projects/a-project.ts';

const caller = aCaller() as SessionCaller;
const project = { ...aProject(), ownerId: caller.account.id };
const otherId = ProjectId.parse('1b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a12');
const now = new Date('2026-03-01T12:00:00.000Z');

function aReport(id: string, projectId = project.id): AbuseReport {
  const at = '2026-03-01T11:00:00.000Z';
  return { id, at, projectId, host: 'demo.sites.test', reason: 'phishing', message: 'x' };
}

function world(open: AbuseReport[]) {
  const resolutions: [string, unknown][] = [];
  const reads: string[] = [];
  const deps = {
    operators: [caller.account.email],
    onAction: () => undefined,
    now: () => now,
    addresses: { siteUrl: (host: string) => `https://${host}/` },
    reports: {
      latest: async () => open,
      resolve: async ({ id }: AbuseReport, resolution: unknown) =>
        resolutions.push([id, resolution]) > 0,
    },
    projects: {
      get: async (id: string) => {
        reads.push(id);
        return id === project.id ? project : undefined;
      },
    },
    accounts: { get: async () => caller.account },
  };
  return { deps: deps as never, resolutions, reads };
}

test('a report names the owner of its project, and each project is read once', async () => {
  const { deps, reads } = world([aReport('a'), aReport('b'), aReport('c', otherId)]);
  const { reports } = await listReports(deps, caller, { state: 'open', limit: 10 });
  expect(reports.map((one) => one.project?.ownerEmail)).toEqual([
    caller.account.email,
    caller.account.email,
    undefined,
  ]);
  expect(reads).toHaveLength(new Set(reads).size);
});

test('“nothing wrong” resolves one report alone, with who said so and when', async () => {
  const { deps, resolutions } = world([aReport('a'), aReport('b')]);
  const decision = { reportId: 'b', outcome: 'nothing-wrong', reason: 'A joke.' } as const;
  expect(await resolveReport(deps, caller, decision)).toEqual({ resolved: 1 });
  const { outcome, reason } = decision;
  const at = now.toISOString();
  expect(resolutions).toEqual([['b', { outcome, reason, at, operatorId: caller.account.id }]]);
});

test('a report that is not open is not decided about again', async () => {
  const { deps, resolutions } = world([aReport('a')]);
  const decision = { reportId: 'z', outcome: 'nothing-wrong', reason: 'x' } as const;
  await expect(resolveReport(deps, caller, decision)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(resolutions).toEqual([]);
});
