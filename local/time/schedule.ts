import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ACCOUNT, REGION } from '../assembly/resource-type.ts';
import type { Clock } from './clock.ts';
import { parseSchedule, type Schedule } from './cron.ts';
import type { FunctionCaller } from '../iam/lambda-permissions.ts';
import { StartError } from '../errors.ts';
import { type Resource, parseProperties } from '../assembly/resource.ts';

const Rule = z.object({
  Name: z.string().optional(),
  ScheduleExpression: z.string(),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Targets: z.array(
    z.strictObject({
      Arn: z.string(),
      Id: z.string(),
      Input: z.string().optional(),
      // No local effect: it is about reaching Lambda, which a call within one process always does.
      RetryPolicy: z.unknown().optional(),
    }),
  ),
});

export interface SchedulesOptions {
  resources: Resource[];
  /** The ARN of a rule. */
  ruleArn(rule: Resource): string;
  clock: Clock;
  mayInvoke(caller: FunctionCaller): boolean;
  /** Invokes a function asynchronously; see `lambda/async-invocations.ts`. */
  invoke(functionArn: string, event: unknown): Promise<void>;
}

/** The scheduled rules of the templates, run by the local clock. */
export interface Schedules {
  /** Runs every due rule and waits for all runs; to be called after the clock was moved. */
  runDue(): Promise<void>;
  /** Runs every rule, due or not, and waits for all runs. */
  runAll(): Promise<void>;
  close(): Promise<void>;
}

interface Job {
  arn: string;
  schedule: Schedule;
  targets: { functionArn: string; input: string | undefined }[];
  nextAt: Date;
}

function parseJob(resource: Resource, options: SchedulesOptions): Job[] {
  const where = `${resource.type} ${resource.logicalId}`;
  const properties = parseProperties(resource, Rule);
  const { ScheduleExpression, State, Targets } = properties;
  if (State === 'DISABLED') return [];
  const arn = options.ruleArn(resource);
  const targets = Targets.map(({ Arn, Input }) => {
    const caller = { action: 'lambda:InvokeFunction', principal: 'events.amazonaws.com' } as const;
    if (!options.mayInvoke({ ...caller, functionArn: Arn, sourceArn: arn })) {
      throw new StartError(`${where}: no AWS::Lambda::Permission allows it to call ${Arn}.`);
    }
    return { functionArn: Arn, input: Input };
  });
  const schedule = parseSchedule(ScheduleExpression);
  return [{ arn, schedule, targets, nextAt: schedule(options.clock.now()) }];
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
    job.targets.map(async ({ functionArn, input }) => {
      const event: unknown =
        input === undefined ? scheduledEvent(job, options.clock.now()) : JSON.parse(input);
      await options.invoke(functionArn, event);
    }),
  );
}

/** Starts the rules. As on AWS, a run does not wait for the run before it. */
export function startSchedules(options: SchedulesOptions): Schedules {
  const { resources, clock } = options;
  const jobs = resources
    .filter(({ type }) => type === 'AWS::Events::Rule')
    .flatMap((resource) => parseJob(resource, options));
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
    async runDue() {
      start(jobs.filter(isDue));
      await Promise.all(running);
    },
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
