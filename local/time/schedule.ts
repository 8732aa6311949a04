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

/** Returns when a rule is due next, strictly after an instant. */
type Schedule = (after: Date) => Date;

const UNIT_MS: Record<string, number> = {
  minute: 60_000,
  minutes: 60_000,
  hour: 3_600_000,
  hours: 3_600_000,
  day: 86_400_000,
  days: 86_400_000,
};

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

interface Field {
  min: number;
  max: number;
  names?: string[];
}

const FIELDS: Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 1, max: 7, names: DAYS },
  { min: 1970, max: 2199 },
];

function parseNumber(text: string, { min, max, names }: Field): number {
  const named = names?.indexOf(text.toUpperCase()) ?? -1;
  const value = named >= 0 ? named + min : Number(text);
  if (/^\d+$/.test(text) || named >= 0) {
    if (value >= min && value <= max) return value;
  }
  throw new StartError(`The local cloud does not understand "${text}" in a cron expression.`);
}

/** The values of one part of a cron field: `*`, `?`, `5`, `1-5`, `MON-FRI`, `0/15`; `L`, `W` and `#` are not supported. */
function parseValues(part: string, field: Field): number[] {
  const [range = '', step = '1'] = part.split('/');
  const isAll = range === '*' || range === '?';
  const [from = '', to] = range.split('-');
  const first = isAll ? field.min : parseNumber(from, field);
  const single = part.includes('/') ? field.max : first;
  const last = isAll ? field.max : to === undefined ? single : parseNumber(to, field);
  const every = Math.max(1, parseNumber(step, { min: 1, max: field.max }));
  return Array.from(
    { length: Math.max(0, Math.floor((last - first) / every) + 1) },
    (_, i) => first + i * every,
  );
}

function parseRate(expression: string): Schedule | undefined {
  const match = /^rate\((\d+) (minutes?|hours?|days?)\)$/.exec(expression);
  const period = Number(match?.[1]) * (UNIT_MS[match?.[2] ?? ''] ?? Number.NaN);
  if (!(period > 0)) return undefined;
  return (after) => new Date((Math.floor(after.getTime() / period) + 1) * period);
}

function parseCron(expression: string): Schedule | undefined {
  const parts = /^cron\((.*)\)$/.exec(expression)?.[1]?.trim().split(/\s+/);
  if (parts?.length !== FIELDS.length) return undefined;
  const sets = FIELDS.map((field, index) => {
    const text = parts[index] ?? '';
    return new Set(text.split(',').flatMap((part) => parseValues(part, field)));
  });
  const has = (index: number, value: number) => sets[index]?.has(value) === true;
  const isDay = (at: Date) =>
    has(2, at.getUTCDate()) &&
    has(3, at.getUTCMonth() + 1) &&
    has(4, at.getUTCDay() + 1) &&
    has(5, at.getUTCFullYear());
  return (after) => {
    let at = new Date((Math.floor(after.getTime() / 60_000) + 1) * 60_000);
    const end = after.getTime() + 5 * 366 * 86_400_000;
    while (at.getTime() < end) {
      if (isDay(at) && has(1, at.getUTCHours()) && has(0, at.getUTCMinutes())) return at;
      const step = isDay(at) ? 60_000 : 86_400_000;
      at = new Date((Math.floor(at.getTime() / step) + 1) * step);
    }
    return new Date(8.64e15);
  };
}

/** Parses a `ScheduleExpression` of EventBridge, in UTC; an unsupported one stops the start. */
export function parseSchedule(expression: string): Schedule {
  const schedule = parseRate(expression) ?? parseCron(expression);
  if (schedule !== undefined) return schedule;
  throw new StartError(`The local cloud does not understand the schedule ${expression}.`);
}
