import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ACCOUNT, REGION } from '../assembly/resource-type.ts';
import type { Clock } from './clock.ts';
import { parseSchedule, type Schedule } from './cron.ts';
import type { Resource } from '../http/http.ts';
import type { FunctionCaller } from '../iam/lambda-permissions.ts';
import type { InvokeResult } from '../lambda/invoke-result.ts';
import { StartError } from '../start-error.ts';

const Rule = z.object({
  Name: z.string().optional(),
  ScheduleExpression: z.string(),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Targets: z.array(
    z.strictObject({
      Arn: z.string(),
      Id: z.string(),
      Input: z.string().optional(),
      // About deliveries that do not reach Lambda, which cannot happen within one process.
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
  invoke(functionArn: string, event: unknown): Promise<InvokeResult>;
  log(line: string): void;
}

/** The rules of the templates, started by the cloud's clock. */
export interface Schedules {
  /** Runs every rule that is due by now, and waits for it: what to call when the clock was moved. */
  runDue(): Promise<void>;
  /** Runs every rule, due or not, and waits for it. */
  runAll(): Promise<void>;
  close(): Promise<void>;
}

interface Job {
  arn: string;
  schedule: Schedule;
  targets: { functionArn: string; input: string | undefined }[];
  nextAt: Date;
  running: Promise<void> | undefined;
}

function jobOf(resource: Resource, options: SchedulesOptions): Job[] {
  const where = `${resource.type} ${resource.logicalId}`;
  const parsed = Rule.safeParse(resource.properties);
  if (!parsed.success) throw new StartError(`${where}: ${z.prettifyError(parsed.error)}`);
  const { ScheduleExpression, State, Targets } = parsed.data;
  if (State === 'DISABLED') return [];
  const arn = options.ruleArn(resource);
  const targets = Targets.map(({ Arn, Input }) => {
    const caller = { action: 'lambda:InvokeFunction', principal: 'events.amazonaws.com' } as const;
    if (!options.mayInvoke({ ...caller, functionArn: Arn, sourceArn: arn })) {
      throw new StartError(`${where}: no AWS::Lambda::Permission lets it call ${Arn}.`);
    }
    return { functionArn: Arn, input: Input };
  });
  const schedule = parseSchedule(ScheduleExpression);
  return [{ arn, schedule, targets, nextAt: schedule(options.clock.now()), running: undefined }];
}

function eventOf(job: Job, now: Date) {
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
  for (const { functionArn, input } of job.targets) {
    const event: unknown =
      input === undefined ? eventOf(job, options.clock.now()) : JSON.parse(input);
    const result = await options.invoke(functionArn, event);
    if (!result.ok) options.log(`${job.arn}: ${result.errorType}: ${result.errorMessage}`);
  }
}

/** Starts the rules; a run that takes longer than its period is never overtaken by the next one. */
export function startSchedules(options: SchedulesOptions): Schedules {
  const { resources, clock } = options;
  const jobs = resources
    .filter(({ type }) => type === 'AWS::Events::Rule')
    .flatMap((resource) => jobOf(resource, options));
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const run = (job: Job): Promise<void> => {
    job.nextAt = job.schedule(clock.now());
    job.running ??= runTargets(job, options).finally(() => {
      job.running = undefined;
    });
    return job.running;
  };
  /** A run that is under way may have looked before the clock moved, so another one follows it. */
  const runAfresh = async (job: Job): Promise<void> => {
    await job.running;
    await run(job);
  };
  const isDue = (job: Job) => job.nextAt.getTime() <= clock.now().getTime();
  const runDue = async () => {
    await Promise.all(jobs.filter(isDue).map(runAfresh));
    arm();
  };
  const arm = () => {
    clearTimeout(timer);
    if (closed || jobs.length === 0) return;
    const next = Math.min(...jobs.map(({ nextAt }) => nextAt.getTime()));
    const delayMs = Math.min(Math.max(next - clock.now().getTime(), 10), 60_000);
    timer = setTimeout(() => {
      for (const job of jobs.filter(isDue)) void run(job);
      arm();
    }, delayMs);
  };
  arm();
  return {
    runDue,
    async runAll() {
      await Promise.all(jobs.map(runAfresh));
      arm();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await Promise.allSettled(jobs.map(async ({ running }) => running));
    },
  };
}
