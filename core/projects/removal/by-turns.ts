import type { ProjectId } from '../../../contract/fields.ts';
import type { DueItem } from '../../ports.ts';

type DueNotice = DueItem & { kind: 'notice' };

/** The mails that a run begins with, in memory at once, and of these the most of one project. */
const maxNotices = { run: 2000, project: 50 };

/** Collects mails so that those of one project with many links never delay all others. */
export function firstNotices() {
  const found: DueNotice[] = [];
  const ofProjects = new Map<ProjectId, number>();
  return {
    add(item: DueNotice): void {
      const ofProject = ofProjects.get(item.projectId) ?? 0;
      if (ofProject >= maxNotices.project || found.length >= maxNotices.run) return;
      ofProjects.set(item.projectId, ofProject + 1);
      found.push(item);
    },
    inOrder: () => byTurns(found),
  };
}

/**
 * One item of each project, then the second of each, and so on: a project with many items never
 * delays another project's first.
 */
export function byTurns<Item extends { projectId: ProjectId }>(items: readonly Item[]): Item[] {
  const turns = new Map<ProjectId, number>();
  const withTurn = items.map((item) => {
    const turn = turns.get(item.projectId) ?? 0;
    turns.set(item.projectId, turn + 1);
    return { item, turn };
  });
  return withTurn.toSorted((a, b) => a.turn - b.turn).map(({ item }) => item);
}
