import { noticeSubject } from '../../mail-notices.ts';
import type { DueItem } from '../../ports.ts';

type DueNotice = DueItem & { kind: 'notice' };

/** The mails that a run begins with, in memory at once, and of these the most of one project or file request. */
const maxNotices = { run: 2000, subject: 50 };

/** Collects mails so that those of one project with many links never delay all others. */
export function firstNotices() {
  const found: DueNotice[] = [];
  const counts = new Map<string, number>();
  return {
    add(item: DueNotice): void {
      const subject = noticeSubject(item);
      const count = counts.get(subject) ?? 0;
      if (count >= maxNotices.subject || found.length >= maxNotices.run) return;
      counts.set(subject, count + 1);
      found.push(item);
    },
    inOrder: () => byTurns(found, noticeSubject),
  };
}

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
