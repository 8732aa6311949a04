import { afterEach, expect, test } from '@jest/globals';
import { movableClock } from '../../../../local/time/clock.ts';
import type { InvokeResult } from '../../../../local/lambda/invoke-result.ts';
import { type Schedules, startSchedules } from '../../../../local/time/schedule.ts';

const taken: InvokeResult = { ok: true, payload: null, requestId: 'r' };
const open: Schedules[] = [];
afterEach(async () => {
  for (const schedules of open.splice(0)) await schedules.close();
});

function start(invoke: () => Promise<InvokeResult>, properties = {}, mayInvoke = true) {
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
    log: () => undefined,
  });
  open.push(schedules);
  return { schedules, clock, events };
}

test('runs what has become due when the clock is moved, once', async () => {
  const { schedules, clock, events } = start(async () => taken);
  await schedules.runDue();
  expect(events).toEqual([]);
  clock.advance(5 * 3_600_000);
  await schedules.runDue();
  await schedules.runDue();
  expect(events).toMatchObject([
    { source: 'aws.events', 'detail-type': 'Scheduled Event', resources: ['arn:rule'] },
  ]);
});

test('passes the input that the rule gives', async () => {
  const { schedules, events } = start(async () => taken, {
    Targets: [{ Arn: 'fn', Id: 'Target0', Input: '{"a":1}' }],
  });
  await schedules.runAll();
  expect(events).toEqual([{ a: 1 }]);
});

test('waits for a run that is under way and runs again after it, never at the same time', async () => {
  let running = 0;
  let most = 0;
  const { schedules, events } = start(async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 20));
    running -= 1;
    return taken;
  });
  const first = schedules.runAll();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await Promise.all([first, schedules.runAll(), schedules.runAll()]);
  expect(most).toBe(1);
  expect(events).toHaveLength(2);
});

test('does nothing for a rule that is off', async () => {
  const { schedules, events } = start(async () => taken, { State: 'DISABLED' });
  await schedules.runAll();
  expect(events).toEqual([]);
});

test.each<[string, object, boolean, RegExp]>([
  ['no permission lets the rule call', {}, false, /no AWS::Lambda::Permission/],
  [
    'its target has an unknown property',
    { Targets: [{ Arn: 'fn', Id: 'T', SqsParameters: {} }] },
    true,
    /SqsParameters/,
  ],
])('stops the start when %s', (_, properties, mayInvoke, message) => {
  expect(() => start(async () => taken, properties, mayInvoke)).toThrow(message);
});
