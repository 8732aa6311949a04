import type { Attack, AttackResult } from './attack.ts';

/** What became of one attack. An attack that proves nothing is a failure, not a service that held. */
export type Outcome =
  | { kind: 'held' | 'gained'; name: string; title: string; result: AttackResult }
  | { kind: 'failed'; name: string; title: string; reason: string };

export interface AttackRun {
  baseUrl: string;
  /** How long each attack may send requests. */
  seconds: number;
  /** How long after that it may wait for answers. */
  graceSeconds?: number;
  report(outcome: Outcome): void;
}

/** Runs attacks one after the other, so that none uses up the limits that another one is to meet. */
export async function runAttacks(
  attacks: Readonly<Record<string, Attack>>,
  run: AttackRun,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [name, attack] of Object.entries(attacks)) {
    const outcome = await outcomeOf(name, attack, run);
    run.report(outcome);
    outcomes.push(outcome);
  }
  return outcomes;
}

/** 0: every attack ran and gained nothing. 1: something was gained. 2: an attack proved nothing. */
export function exitCode(outcomes: readonly Outcome[]): 0 | 1 | 2 {
  if (outcomes.some(({ kind }) => kind === 'gained')) return 1;
  return outcomes.length === 0 || outcomes.some(({ kind }) => kind === 'failed') ? 2 : 0;
}

/** One attack for people: what it tried, how far it came, what it got. */
export function describeOutcome(outcome: Outcome): string {
  const { name, title } = outcome;
  if (outcome.kind === 'failed') return `${name}: ${title}\n  failed    ${outcome.reason}\n`;
  const { requests, observed, gained } = outcome.result;
  const got = gained.length === 0 ? ['nothing'] : gained;
  return [
    `${name}: ${title}`,
    `  requests  ${requests}`,
    ...observed.map((sentence) => `  observed  ${sentence}`),
    ...got.map((sentence) => `  gained    ${sentence}`),
    '',
  ].join('\n');
}

async function outcomeOf(name: string, attack: Attack, run: AttackRun): Promise<Outcome> {
  const { title } = attack;
  try {
    const result = await bounded(attack, run);
    if (result.gained.length > 0) return { kind: 'gained', name, title, result };
    if (result.requests > 0) return { kind: 'held', name, title, result };
    return { kind: 'failed', name, title, reason: 'It sent no request.' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', name, title, reason };
  }
}

async function bounded(
  attack: Attack,
  { baseUrl, seconds, graceSeconds = 100 }: AttackRun,
): Promise<AttackResult> {
  const until = new Date(Date.now() + seconds * 1000);
  const running = attack.run({ baseUrl, until });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const reason = `It did not end within ${seconds + graceSeconds} seconds.`;
    timer = setTimeout(() => reject(new Error(reason)), (seconds + graceSeconds) * 1000);
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}
