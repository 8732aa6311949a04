import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { Findings, percentile, unavailableProblems } from '../../load/findings.ts';
import { growthPerMinute, memoryProblems } from '../../load/memory.ts';

const samples = (megabytesAt: (seconds: number) => number) =>
  Array.from({ length: 120 }, (_, seconds) => ({ seconds, megabytes: megabytesAt(seconds) }));

describe('memory', () => {
  test('that grows only while workers start does not grow', () => {
    expect(growthPerMinute(samples((at) => Math.min(at, 60) * 10))).toBeCloseTo(0);
  });

  test('that keeps growing grows by its slope', () => {
    const growth = growthPerMinute(samples((at) => 300 + at * 2));
    expect(growth).toBeCloseTo(120);
    expect(memoryProblems({ growthPerMinute: growth }, 120)).toEqual([
      'memory grew by 120 MB a minute in the second half, more than 60',
    ]);
  });

  test('of a garbage collector goes up and down', () => {
    const growth = growthPerMinute(samples((at) => 300 + (at % 10) * 20));
    expect(memoryProblems({ growthPerMinute: growth }, 120)).toEqual([]);
  });

  test('of a short run says nothing', () => {
    expect(memoryProblems({ growthPerMinute: 500 }, 59)).toEqual([]);
    expect(memoryProblems({ growthPerMinute: 500 }, 60)).toHaveLength(1);
  });
});

describe('findings', () => {
  test('are counted by their sentence', () => {
    const findings = new Findings();
    findings.problem('a page was answered with 500');
    findings.problem('a page was answered with 500');
    findings.problem('a claim was lost');
    expect(findings.problems).toEqual([
      'a page was answered with 500 (2 times)',
      'a claim was lost',
    ]);
  });

  test('have the rate and the times of each kind', () => {
    const findings = new Findings();
    for (let ms = 1; ms <= 100; ms += 1) findings.answered('page', ms);
    findings.answered('asset', 7);
    expect(findings.answers).toBe(101);
    expect(findings.lines(10).map((line) => line.replace(/ +/g, ' '))).toEqual([
      'asset 1 0.1 a second p50 7 ms p99 7 ms',
      'page 100 10.0 a second p50 50 ms p99 99 ms',
    ]);
  });

  test.each([
    [0, 0, 0],
    [1, 100, 0],
    [2, 100, 1],
    [1, 99, 1],
    [1, 1, 1],
  ])('%i of %i answers with 503 are %i problems', (unavailable, answers, problems) => {
    expect(unavailableProblems({ unavailable, answers })).toHaveLength(problems);
  });

  test('a percentile of nothing is no number', () => {
    expect(percentile([], 0.5)).toBeNaN();
  });
});

test('the command refuses no time', async () => {
  const args = ['--import', 'tsx', 'test/load/run.ts', '--seconds', '0'];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const [error, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining('--seconds 120') });
});
