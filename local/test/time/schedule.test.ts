import { afterEach, expect, test } from '@jest/globals';
import { movableClock } from '../../time/clock.ts';
import { startSchedules } from '../../time/schedule.ts';

const accepted = async () => undefined;
const open: ReturnType<typeof startSchedules>[] = [];
afterEach(async () => {
  for (const schedules of open.splice(0)) await schedules.close();
});

function start(invoke: () => Promise<void>, properties = {}, mayInvoke = true) {
  const clock = movableClock();
  const rule = {
    stack: 'Stack',
    logicalId: 'Rule',
    type: 'AWS::Events::Rule',
    properties: {
      ScheduleExpression: 'rate(1 hour)',
      Targets: [{ Arn: 'fn', Id: 'Target0' }],
      ...properties,
    },
  };
  const events: unknown[] = [];
  const schedules = startSchedules({
    resources: [rule],
    ruleArn: () => 'arn:rule',
    clock,
    mayInvoke: () => mayInvoke,
    invoke: (_, event) => {
      events.push(event);
      return invoke();
    },
  });
  open.push(schedules);
  return { schedules, clock, events };
}

test('runs a due schedule once when the clock is moved', async () => {
  const { schedules, clock, events } = start(accepted);
  await schedules.runDue();
  expect(events).toEqual([]);
  clock.advance(5 * 3_600_000);
  await schedules.runDue();
  await schedules.runDue();
  expect(events).toMatchObject([
    { source: 'aws.events', 'detail-type': 'Scheduled Event', resources: ['arn:rule'] },
  ]);
});

test('starts a run while another one is under way, as EventBridge does, and waits for both', async () => {
  const ends: (() => void)[] = [];
  const { schedules, events } = start(() => new Promise((resolve) => ends.push(resolve)));
  let done = 0;
  const runs = [schedules.runAll(), schedules.runAll()].map(async (run) => {
    await run;
    done += 1;
  });
  expect(events).toHaveLength(2);
  ends[1]?.();
  await Promise.resolve();
  expect(done).toBe(0);
  ends[0]?.();
  await Promise.all(runs);
});

test.each<[string, object, boolean, RegExp]>([
  ['no permission lets the rule call', {}, false, /no AWS::Lambda::Permission/],
  [
    'its schedule is another kind',
    { ScheduleExpression: 'cron(0 9 * * ? *)' },
    true,
    /not underst/,
  ],
  ['it is disabled', { State: 'DISABLED' }, true, /State/],
  [
    'its target has an unknown property',
    { Targets: [{ Arn: 'fn', Id: 'T', SqsParameters: {} }] },
    true,
    /SqsParameters/,
  ],
])('stops the start when %s', (_, properties, mayInvoke, message) => {
  expect(() => start(accepted, properties, mayInvoke)).toThrow(message);
});
