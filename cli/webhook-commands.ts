import { setTimeout as sleep } from 'node:timers/promises';
import { webhookTexts } from '../web/app/texts/en-webhooks.ts';
import { formatRelative } from '../web/app/texts/format.ts';
import { CommandError, exitCodes, usageError } from './command-error.ts';
import { requireKey, requireProject, type Session } from './session.ts';
import { columns } from './terminal.ts';

const ofOne = new Map([
  ['rm', removeWebhook],
  ['test', testWebhook],
  ['sent', listSent],
]);

/** `webhooks`: lists the addresses that get events, adds, removes and tests them, and shows and repeats what was sent. */
export async function webhooks(
  session: Session,
  [action = 'list', operand, ...others]: readonly string[],
): Promise<void> {
  requireKey(session);
  if (action === 'list' && operand === undefined) return listWebhooks(session);
  if (operand !== undefined) {
    const [first, second] = others;
    if (action === 'add' && first !== undefined) return addWebhook(session, operand, others);
    if (first === undefined) {
      const run = ofOne.get(action);
      if (run !== undefined) return run(session, operand);
    } else if (action === 'resend' && second === undefined) return resend(session, operand, first);
  }
  throw usageError(
    'Say what to do with which webhook.',
    'For example: slipway webhooks add https://hooks.example.org/in version.published',
  );
}

type EventName = Exclude<keyof typeof webhookTexts.of, 'webhook.test'>;

function isEvent(name: string): name is EventName {
  return name !== 'webhook.test' && Object.hasOwn(webhookTexts.of, name);
}

async function addWebhook(session: Session, url: string, names: readonly string[]): Promise<void> {
  const events = names.filter(isEvent);
  const unknown = names.find((name) => !isEvent(name));
  if (unknown !== undefined) {
    const all = Object.keys(webhookTexts.of).filter(isEvent);
    throw usageError(`There is no event ${unknown}.`, `There are: ${all.join(', ')}`);
  }
  const webhook = await session.service.call('createWebhook', {
    url,
    events,
    ...(session.named !== undefined && { projectId: await requireProject(session) }),
  });
  session.say('Its secret, which checks signatures, is shown only once. A chat does not need it.');
  session.say(`To try it: slipway webhooks test ${webhook.id}`);
  session.answer(webhook, [webhook.secret]);
}

async function listWebhooks({ service, say, answer }: Session): Promise<void> {
  const { webhooks: all } = await service.call('listWebhooks', {});
  if (all.length === 0) say('There are none yet. Add one: slipway webhooks add URL EVENT');
  const stateOf = ({ enabled, failingSince }: (typeof all)[number]) =>
    failingSince !== null && enabled
      ? `fails, since ${formatRelative(failingSince)}`
      : (enabled && 'on') || 'off';
  answer(
    { webhooks: all },
    columns(all.map((one) => [one.url, one.events.join(' '), stateOf(one), one.id])),
  );
}

async function removeWebhook(session: Session, webhookId: string): Promise<void> {
  await requireWebhook(session, webhookId);
  const answer = await session.service.call('deleteWebhook', { webhookId });
  session.answer(answer, ['Removed. It gets no more events.']);
}

/** A program has ten seconds to answer; the rest is for the way. */
const longestTestSeconds = 20;

/** Sends a test, and tells what the program answered. @throws CommandError where it did not accept it */
async function testWebhook(session: Session, webhookId: string): Promise<void> {
  const { service, context, progress, answer } = session;
  await requireWebhook(session, webhookId);
  const { deliveryId } = await service.call('testWebhook', { webhookId });
  progress.show('Waiting for the answer');
  for (let second = 0; second < longestTestSeconds; second += 1) {
    await sleep(1000, undefined, { signal: context.signal });
    const { deliveries } = await service.call('listDeliveries', { webhookId });
    const delivery = deliveries.find(({ id }) => id === deliveryId);
    if (delivery === undefined || delivery.lastAttempt === null) continue;
    const said = answerOf(delivery.lastAttempt);
    if (delivery.state === 'delivered') return answer(delivery, [said]);
    throw new CommandError(exitCodes.refused, `The test was not accepted. ${said}`, {
      next: 'A program accepts an event by an answer from 200 to 299 within ten seconds.',
    });
  }
  throw new CommandError(exitCodes.partly, 'The test is on its way, and has no answer yet.', {
    next: `Try again in a minute: slipway webhooks test ${webhookId}`,
  });
}

function answerOf({ status, body }: { status: number | null; body: string }): string {
  return `${status === null ? 'No answer' : `Answer ${status}`}${body && `: ${body}`}`;
}

async function listSent({ service, say, answer }: Session, webhookId: string): Promise<void> {
  const { deliveries } = await service.call('listDeliveries', { webhookId });
  if (deliveries.length === 0) say(webhookTexts.noDeliveries);
  const rows = deliveries.map(({ at, type, state, lastAttempt, id }) => {
    const [said = ''] = lastAttempt === null ? [] : answerOf(lastAttempt).split('\n');
    return [id, formatRelative(at), type, webhookTexts.state[state], said.slice(0, 80)];
  });
  answer({ deliveries }, columns(rows));
}

/** Sends again what arrived or was given up; what waits is tried within a minute. */
async function resend(session: Session, webhookId: string, deliveryId: string): Promise<void> {
  const answer = await session.service.call('redeliver', { webhookId, deliveryId });
  session.say(`To see whether it arrives: slipway webhooks sent ${webhookId}`);
  session.answer(answer, ['It is sent again within a minute.']);
}

/** @throws CommandError for a webhook that does not exist */
async function requireWebhook({ service }: Session, webhookId: string): Promise<void> {
  const { webhooks: all } = await service.call('listWebhooks', {});
  if (all.some(({ id }) => id === webhookId)) return;
  throw new CommandError(exitCodes.refused, `You have no webhook with the id ${webhookId}.`, {
    next: 'slipway webhooks lists them.',
    code: 'NOT_FOUND',
  });
}

/** `events`: prints what happens to the projects, or to one, until the user stops it. */
export async function events(session: Session, [operand]: readonly string[]): Promise<void> {
  requireKey(session);
  const isOfOne = operand !== undefined || session.named !== undefined;
  const query = isOfOne ? { projectId: await requireProject(session, operand) } : {};
  session.say('Waiting for events. Press Ctrl-C to stop.');
  let after: string | undefined;
  for (;;) {
    const found = await session.service.call('listEvents', { ...query, after, wait: 25 });
    for (const event of found.events) {
      const { timestamp, type, data } = event;
      session.answer(event, [[timestamp, type, data.url, data.title].join('  ')]);
    }
    after = found.nextCursor;
  }
}
