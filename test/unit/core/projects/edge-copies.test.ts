import { describe, expect, test } from '@jest/globals';
import { edgePartsOf, mayHaveCopies } from '../../../../core/projects/edge-copies.ts';
import type { Project } from '../../../../core/projects/project.ts';
import { aProject, aTemporaryProject } from '../../../fixtures/projects/a-project.ts';
import { now } from '../../../fixtures/visits/a-site.ts';

const at = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString();
const retained = {
  hash: 'h'.repeat(43),
  files: 1,
  bytes: 10,
  until: at(3600),
} as Project['retained'];

describe('what the edge may hold', () => {
  test.each<[string, Project, boolean]>([
    ['a public site with assets', aProject(), true],
    [
      'one that rests, because rests end without a change',
      aProject({ restingUntil: at(60) }),
      true,
    ],
    [
      'a page alone that has assets of earlier versions',
      aProject({ type: 'html', fileCount: 1, retained }),
      true,
    ],
    ['a site that comes to the edge in this moment', aProject({ edgeFrom: at(9) }), true],
    ['a site before its time at the edge', aProject({ edgeFrom: at(11) }), false],
    ['a site without a place', aProject({ edgeFrom: undefined }), false],
    ['a page alone', aProject({ type: 'html', fileCount: 1 }), false],
    ['a temporary project', aTemporaryProject(), false],
    ['nothing published', aProject({ version: 0 }), false],
    ['a custom domain', aProject({ domainId: 'd' }), false],
    ['a password', aProject({ access: 'password' }), false],
    ['the owner alone', aProject({ access: 'private' }), false],
    ['unpublished', aProject({ status: 'private' }), false],
    ['archived', aProject({ archivedAt: at(-9) }), false],
    ['suspended', aProject({ suspendedAt: at(-9) }), false],
    ['taken down', aProject({ takedown: { reason: 'abuse', at: at(-9) } }), false],
    ['deleted', aProject({ removingAt: at(-9) }), false],
    ['expired', aProject({ expiresAt: at(-1) }), false],
  ])('%s', (_, project, expected) => {
    expect(mayHaveCopies(project, now)).toBe(expected);
  });
});

describe('a change that visitors see', () => {
  test('of a site at the edge is purged, and its next state takes another place', () => {
    expect(edgePartsOf(aProject(), aProject({ version: 2 }), now)).toEqual({
      purgeAt: at(60),
      edgeFrom: undefined,
      wantsEdgePlace: true,
    });
  });

  test('in the minute after another needs no purge: its unused place moves to the next minute', () => {
    const before = aProject({ edgeFrom: at(30) });
    expect(edgePartsOf(before, aProject({ version: 2 }), now)).toEqual({
      purgeAt: undefined,
      edgeFrom: at(60),
      wantsEdgePlace: false,
    });
  });

  test('keeps a later place, when the budget is back', () => {
    const before = aProject({ edgeFrom: at(3000) });
    expect(edgePartsOf(before, aProject({ version: 2 }), now).edgeFrom).toBe(at(3000));
  });

  test.each<[string, Partial<Project>]>([
    ['a password', { access: 'password' }],
    ['unpublishing', { status: 'private' }],
    ['an archive', { archivedAt: at(0) }],
    ['a suspension', { suspendedAt: at(0) }],
    ['a move to a custom domain', { domainId: 'd' }],
  ])('%s is purged and takes no place', (_, fields) => {
    expect(edgePartsOf(aProject(), aProject(fields), now)).toEqual({
      purgeAt: at(60),
      edgeFrom: undefined,
      wantsEdgePlace: false,
    });
  });

  test('a takedown is always purged', () => {
    const takedown = { reason: 'abuse', at: at(0) };
    const before = aProject({ edgeFrom: undefined });
    expect(edgePartsOf(before, { ...before, takedown }, now).purgeAt).toBe(at(60));
  });
});
