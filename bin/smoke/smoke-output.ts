import type { CheckResult } from './check.ts';

const indent = ' '.repeat(10);

/** One check for a person; a difference with its consequence and what to do. */
export function formatResult({ outcome, name, detail, why }: CheckResult): string {
  const first = `${outcome.padEnd(indent.length)}${name}${detail === undefined ? '' : `: ${detail}`}`;
  if (outcome !== 'differs') return first;
  const advice = 'No setting avoids this. Write it down in docs/first-deploy.md.';
  return [first, `${indent}${why}`, `${indent}${advice}`].join('\n');
}

/** The last line. */
export function formatSummary(results: readonly CheckResult[]): string {
  const count = (outcome: CheckResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  return `${count('pass')} pass, ${count('differs')} differ, ${count('skipped')} skipped`;
}
