import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ACCOUNT, REGION } from '../assembly/resource-type.ts';
import type { Clock } from './clock.ts';
import type { FunctionCaller } from '../iam/lambda-permissions.ts';
import { StartError } from '../errors.ts';
import { parseProperties, type Resource } from '../assembly/resource.ts';

const Rule = z.object({
  Name: z.string().optional(),
  ScheduleExpression: z.string(),
  State: z.literal('ENABLED').optional(),
  Targets: z.array(
    z.strictObject({
      Arn: z.string(),
      Id: z.string(),
      // No local effect: it is about reaching Lambda, which a call within one process always does.
      RetryPolicy: z.unknown().optional(),
    }),
  ),
});

export interface SchedulesOptions {
  resources: Resource[];
  ruleArn(rule: Resource): string;
  clock: Clock;
  mayInvoke(caller: FunctionCaller): boolean;
  /** Invokes a function asynchronously; see `lambda/async-invocations.ts`. */
  invoke(functionArn: string, event: unknown): Promise<void>;
}

interface Job {
  arn: string;
  schedule: Schedule;
  functionArns: string[];
  nextAt: Date;
}

function parseJob(resource: Resource, options: SchedulesOptions): Job {
  const where = `${resource.type} ${resource.logicalId}`;
  const { ScheduleExpression, Targets } = parseProperties(resource, Rule);
  const arn = options.ruleArn(resource);
  const functionArns = Targets.map(({ Arn }) => {
    const caller = { action: 'lambda:InvokeFunction', principal: 'events.amazonaws.com' } as const;
    if (!options.mayInvoke({ ...caller, functionArn: Arn, sourceArn: arn })) {
      throw new StartError(`${where}: no AWS::Lambda::Permission allows it to call ${Arn}.`);
    }
    return Arn;
  });
  const schedule = parseSchedule(ScheduleExpression);
  return { arn, schedule, functionArns, nextAt: schedule(options.clock.now()) };
}

function scheduledEvent(job: Job, now: Date) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: ACCOUNT,
    time: `${now.toISOString().slice(0, 19)}Z`,
    region: REGION,
    resources: [job.arn],
    detail: {},
  };
}

async function runTargets(job: Job, options: SchedulesOptions): Promise<void> {
  await Promise.all(
    job.functionArns.map(async (functionArn) =>
      options.invoke(functionArn, scheduledEvent(job, options.clock.now())),
    ),
  );
}

/** Starts the rules. As on AWS, a run does not wait for the run before it. */
export function startSchedules(options: SchedulesOptions) {
  const { resources, clock } = options;
  const jobs = resources
    .filter(({ type }) => type === 'AWS::Events::Rule')
    .map((resource) => parseJob(resource, options));
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const run = (job: Job): void => {
    job.nextAt = job.schedule(clock.now());
    const started = runTargets(job, options).finally(() => running.delete(started));
    running.add(started);
  };
  const isDue = (job: Job) => job.nextAt.getTime() <= clock.now().getTime();
  const scheduleNextRun = () => {
    clearTimeout(timer);
    if (closed || jobs.length === 0) return;
    const next = Math.min(...jobs.map(({ nextAt }) => nextAt.getTime()));
    const delayMs = Math.min(Math.max(next - clock.now().getTime(), 10), 60_000);
    timer = setTimeout(() => start(jobs.filter(isDue)), delayMs);
  };
  const start = (due: Job[]) => {
    for (const job of due) run(job);
    scheduleNextRun();
  };
  scheduleNextRun();
  return {
    /** Runs every due rule and waits for all runs; to be called after the clock was moved. */
    async runDue() {
      start(jobs.filter(isDue));
      await Promise.all(running);
    },
    /** Runs every rule, due or not, and waits for all runs. */
    async runAll() {
      start(jobs);
      await Promise.all(running);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await Promise.allSettled(running);
    },
  };
}

/** Returns when a rule is due next, strictly after an instant. */
type Schedule = (after: Date) => Date;

const UNIT_MS: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Parses `rate(5 minutes)`, the one kind of schedule that the templates have; another one stops the start. */
function parseSchedule(expression: string): Schedule {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const period = Number(count) * (UNIT_MS[unit] ?? Number.NaN);
  if (period > 0) {
    return (after) => new Date((Math.floor(after.getTime() / period) + 1) * period);
  }
  throw new StartError(`The local cloud does not understand the schedule ${expression}.`);
}
