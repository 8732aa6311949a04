import { expect, test } from '@jest/globals';
import { ProjectId } from '../../../../../contract/fields.ts';
import { neededPermissions } from '../../../../../contract/operation.ts';
import { operations } from '../../../../../contract/operations.ts';
import {
  requireKeyForMove,
  requireKeyProject,
} from '../../../../../core/accounts/keys/permissions.ts';
import { aCaller } from '../../../../fixtures/projects/a-project.ts';

const own = ProjectId.parse('12d5451a-ad10-48db-a3a5-8fbe1047a89f');
const other = ProjectId.parse('9cf95b2b-b184-4e55-a69b-9a9283a6b5c3');

test.each([
  ['its project', {}, { projectId: own }, undefined],
  ['another project', {}, { projectId: other }, 'NOT_FOUND'],
  ['its project in capitals', {}, { projectId: own.toUpperCase() }, 'NOT_FOUND'],
  ['no project', {}, {}, 'FORBIDDEN'],
  ['a project that is undefined', {}, { projectId: undefined }, 'FORBIDDEN'],
  ['no project, where a list shows only its own', { limitedKeys: true }, {}, undefined],
  ['its project, to make another of it', { limitedKeys: false }, { projectId: own }, 'FORBIDDEN'],
])('a key for some projects that names %s', (_, operation, input, code) => {
  const limited = { ...aCaller(), projectIds: [own] };
  const check = () => requireKeyProject(operation, limited, input);
  if (code === undefined) check();
  else expect(check).toThrow(expect.objectContaining({ code }));
  requireKeyProject(operation, aCaller(), input);
});

test('a key for some projects is told what to name, without an endpoint, so that agents read it too', () => {
  const nextStep = expect.stringMatching(/^Name one of its projects(?!.*\/v1\/)/);
  const fields = expect.objectContaining({ nextStep });
  const check = () => requireKeyProject({}, { ...aCaller(), projectIds: [own] }, {});
  expect(check).toThrow(expect.objectContaining({ fields }));
});

test.each([
  ['nothing', {}, true],
  ['to where it is', { domainId: 'd1', workspaceId: 'w1' }, true],
  ['to another domain', { domainId: 'd2' }, false],
  ['to no domain', { domainId: null }, false],
  ['to another workspace', { workspaceId: 'w2' }, false],
  ['to no workspace', { workspaceId: null }, false],
])('a key for some projects moves one %s: %p', (_, move, isAllowed) => {
  const before = { domainId: 'd1', workspaceId: 'w1' };
  const check = () => requireKeyForMove({ ...aCaller(), projectIds: [own] }, before, move);
  if (isAllowed) check();
  else expect(check).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
  requireKeyForMove(aCaller(), before, move);
});

test('a key that only reads sees nothing of webhooks: neither their addresses, nor what receivers answered', () => {
  const ofWebhooks = operations.filter(({ path }) => path.startsWith('/v1/webhooks'));
  expect(ofWebhooks.length).toBeGreaterThan(5);
  for (const operation of ofWebhooks)
    expect(neededPermissions(operation)).toEqual(['projects:write']);
});
