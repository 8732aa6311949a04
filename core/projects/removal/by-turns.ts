import { noticeSubject } from '../../mail-notices.ts';
import type { DueItem } from '../../ports.ts';

/** How many items a run begins with, in memory at once, and of these the most of one subject. */
interface Most {
  run: number;
  subject: number;
}

/** Collects items so that those of one subject that has many never delay all others. */
function firstItems<Item>(subjectOf: (item: Item) => string, most: Most) {
  const found: Item[] = [];
  const counts = new Map<string, number>();
  return {
    add(item: Item): void {
      const subject = subjectOf(item);
      const count = counts.get(subject) ?? 0;
      if (count >= most.subject || found.length >= most.run) return;
      counts.set(subject, count + 1);
      found.push(item);
    },
    inOrder: () => byTurns(found, subjectOf),
  };
}

/** Mails, by project or file request. */
export const firstNotices = () =>
  firstItems<DueItem & { kind: 'notice' }>(noticeSubject, { run: 2000, subject: 50 });

/**
 * Lines of deliveries, by webhook. What is put off to a full hour is due all at once, and an account may have tens of
 * thousands of lines.
 */
export const firstLines = () =>
  firstItems<DueItem & { kind: 'webhook' }>(({ webhookId }) => webhookId, {
    run: 20_000,
    subject: 100,
  });

/**
 * One item of each subject, then the second of each, and so on: a project with many items never
 * delays another project's first.
 */
export function byTurns<Item>(items: readonly Item[], subjectOf: (item: Item) => string): Item[] {
  const turns = new Map<string, number>();
  const withTurn = items.map((item) => {
    const subject = subjectOf(item);
    const turn = turns.get(subject) ?? 0;
    turns.set(subject, turn + 1);
    return { item, turn };
  });
  return withTurn.toSorted((a, b) => a.turn - b.turn).map(({ item }) => item);
}
