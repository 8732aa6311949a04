import { describe, expect, test } from '@jest/globals';
import { planDeployment } from '../../../../core/web-app/plan-deployment.ts';

const day = 86_400_000;
const start = Date.parse('2026-01-01T00:00:00.000Z');
const at = (days: number) => new Date(start + days * day);

describe('files of an earlier build', () => {
  test('stay for a week from the deployment that replaced them, however old they are', () => {
    const first = planDeployment({ build: ['b'], stored: ['a', 'b'], retired: {}, now: at(30) });
    expect(first).toEqual({ remove: [], retired: { a: at(30).toISOString() } });
    const { retired } = first;
    const nearly = { build: ['b'], stored: ['a', 'b'], retired, now: new Date(+at(37) - 1) };
    expect(planDeployment(nearly)).toEqual(first);
    const over = planDeployment({ ...nearly, now: at(37) });
    expect(over).toEqual({ remove: ['a'], retired: {} });
  });

  test('that are used again are no longer retired', () => {
    const retired = { a: at(0).toISOString() };
    const plan = planDeployment({ build: ['a'], stored: ['a', 'b'], retired, now: at(30) });
    expect(plan).toEqual({ remove: [], retired: { b: at(30).toISOString() } });
  });

  test('that are gone are forgotten', () => {
    const retired = { a: at(0).toISOString() };
    expect(planDeployment({ build: [], stored: [], retired, now: at(1) })).toEqual({
      remove: [],
      retired: {},
    });
  });
});
