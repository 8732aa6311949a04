import { describe, expect, test } from '@jest/globals';
import {
  claimParts,
  removalParts,
} from '../../../../../adapters/dynamodb/projects/project-writes.ts';
import {
  removalOfFailed,
  removalOnRequest,
  removalWhenDue,
} from '../../../../../core/projects/removal/removal.ts';
import { aProject, aTemporaryProject, ownerId } from '../../../../fixtures/projects/a-project.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const tables = { projects: 'projects', sites: 'sites' };

test('a claim is written only if the project is unchanged since it was read', () => {
  const at = now.toISOString();
  // Made from revision 3.
  const project = aProject({ revision: 4 });
  const parts = claimParts(tables, { project, claimHash: 'c', charge: undefined, at });
  const [, takeOver] = parts.find(([name]) => name === 'project') ?? [];
  expect(takeOver).toMatchObject({
    Put: {
      ConditionExpression: expect.stringContaining('revision = :revision'),
      ExpressionAttributeValues: { ':revision': 3, ':at': at },
    },
  });
});

describe('a removed project', () => {
  const updateOf = (removal: Parameters<typeof removalParts>[1]) => {
    const [, part] = removalParts(tables, removal).find(([name]) => name === 'project') ?? [];
    if (part === undefined || !('Update' in part)) throw new Error('not marked');
    return part.Update;
  };
  const deleted = `${ownerId}#deleted`;

  test('is listed for operators as deleted, while it is kept', () => {
    const update = updateOf(removalOnRequest(aProject(), 30, now));
    expect(update.UpdateExpression).toContain('#ownerState = :ownerState, #listedAt = :listedAt');
    // Only its place at the edge is gone, because its purge uses that up.
    expect(update.UpdateExpression).toMatch(/ REMOVE #edgeFrom$/);
    expect(update.ExpressionAttributeValues).toMatchObject({
      ':ownerState': deleted,
      ':listedAt': `${now.toISOString()}#${aProject().id}`,
    });
  });

  test.each([
    ['kept for no day', removalOnRequest(aProject({ edgeFrom: undefined }), 0, now)],
    ['over', removalWhenDue(aProject({ expiresAt: now.toISOString() }), now)],
    ['never published', removalOfFailed(aProject(), 'why', now)],
    ['nobody’s', removalOnRequest(aTemporaryProject(), 30, now)],
  ])('is in no list if it is %s', (_, removal) => {
    const update = updateOf(removal);
    expect(update.UpdateExpression).toMatch(/ REMOVE #ownerState, #listedAt$/);
    expect(Object.values(update.ExpressionAttributeValues ?? {})).not.toContain(deleted);
  });
});
