import type { AccountId, ProjectId } from '../../contract/fields.ts';
import { daySeconds } from '../../contract/limits.ts';
import type { Account } from '../accounts/account.ts';
import { instant } from '../instants.ts';
import type { Counters } from '../limits/counters.ts';
import type { Project } from '../projects/project.ts';
import { projectEvents } from '../webhooks/change-events.ts';
import { deliveriesOf, type Delivery, maxVisitorAttemptsPerHour } from '../webhooks/delivery.ts';
import { receiversOf, type WebhookStore } from '../webhooks/webhook.ts';
import type { HitBatch, WatchedProject } from './hit-batches.ts';
import type { Hit } from './hit.ts';
import { describeHit } from './project-opens.ts';
import { toRecordedHit } from './recorded-hit.ts';

/** The dependencies of {@link watchedProjects}. */
export interface OpenEventDeps {
  accounts: { get(accountId: AccountId): Promise<Account | undefined> };
  webhooks: Pick<WebhookStore, 'list'>;
  counters: Pick<Counters, 'count'>;
  now(): Date;
}

/** As many as an account can be sent in a day: more would be given up. */
const maxDeliveriesPerDay = 24 * maxVisitorAttemptsPerHour;

/** The projects among those of hits whose opens by people webhooks are told of. */
export async function watchedProjects(
  deps: OpenEventDeps,
  projects: ReadonlyMap<ProjectId, Project>,
  hits: readonly Hit[],
): Promise<ReadonlyMap<ProjectId, WatchedProject>> {
  const watched = new Map<ProjectId, WatchedProject>();
  for (const project of projects.values()) {
    const { id: projectId, ownerId } = project;
    const isOpen = (hit: Hit) => hit.projectId === projectId && isOpenByPerson(hit);
    if (ownerId === null || !hits.some(isOpen)) continue;
    const account = await deps.accounts.get(ownerId);
    if (account?.hasWebhooks !== true) continue;
    const all = await deps.webhooks.list(ownerId);
    const wanting = openEvents.flatMap((type) => receiversOf(all, { type, projectId }));
    const webhooks = [...new Set(wanting)];
    if (webhooks.length === 0) continue;
    const key = `open-deliveries#${ownerId}`;
    const count = await deps.counters.count(key, daySeconds, deps.now(), webhooks.length);
    if (count <= maxDeliveriesPerDay) watched.set(projectId, { project, webhooks });
  }
  return watched;
}

const openEvents = ['project.opened', 'project.first_opened'] as const;

/** Whether a hit is an open by a person who is not its owner. Pure. */
export function isOpenByPerson(hit: Hit): boolean {
  return (toRecordedHit(hit)?.counts.opens ?? 0) > 0;
}

/** Whether it matters for a batch that nobody has opened its project before. Pure. */
export function mayBeFirst({ watched, isSpread, hits }: HitBatch): boolean {
  const wants = watched?.webhooks.some(({ events }) => events.includes('project.first_opened'));
  // Hits are spread where many are in the first shard already.
  return wants === true && !isSpread && hits.some(({ counts }) => counts.opens > 0);
}

const latestCount = 10;

/** The deliveries about the opens of a batch, which are written with them. Pure. */
export function openDeliveries(
  { watched, hits }: HitBatch,
  { isFirst, now }: { isFirst: boolean; now: Date },
): Delivery[] {
  const opens = hits
    .flatMap(({ record, counts }) => (counts.opens > 0 ? [record] : []))
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))
    .map(describeHit);
  if (watched === undefined || opens.length === 0) return [];
  const { project, webhooks } = watched;
  const event = (type: (typeof openEvents)[number], more: object) =>
    projectEvents(project, { type, at: instant(now) }, more);
  return deliveriesOf(webhooks, [
    ...(isFirst ? event('project.first_opened', { open: opens.at(-1) }) : []),
    ...event('project.opened', { opens: opens.length, recentOpens: opens.slice(0, latestCount) }),
  ]);
}
