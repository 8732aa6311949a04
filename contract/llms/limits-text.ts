import { describeDuration, describeWindow } from '../limits.ts';
import type { PlanLimits } from '../plans.ts';

/** Limits of an upload without an account. */
export interface TemporaryLimits {
  lifetimeSeconds: number;
  maxParts: number;
  maxBytes: number;
  maxArchiveEntries: number;
  maxArchiveBytes: number;
  uploads: readonly { limit: number; windowSeconds: number }[];
}

/** The limits of uploads without an account. */
export function temporaryText(limits: TemporaryLimits): string {
  const uploads = limits.uploads.map(
    (rule) => `${rule.limit} uploads in ${describeWindow(rule.windowSeconds)}`,
  );
  return [
    `- A project expires after ${describeDuration(limits.lifetimeSeconds)} unless somebody claims it.`,
    `- At most ${limits.maxParts} files, or one ZIP with at most ${limits.maxArchiveEntries} files.`,
    `- At most ${limits.maxBytes} bytes; a ZIP may unpack to ${limits.maxArchiveBytes} bytes.`,
    `- Per IP address: ${uploads.join(', ')}.`,
  ].join('\n');
}

/** The limits of every plan as a Markdown table. */
export function plansText(plans: Readonly<Record<string, PlanLimits>>): string {
  const tiers = Object.keys(plans);
  const names = Object.keys(Object.values(plans)[0] ?? {});
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const numbersOf = (name: string) =>
    Object.values(plans).map((limits) => Object.entries(limits).find(([key]) => key === name)?.[1]);
  return [
    row(['', ...tiers]),
    row(['---', ...tiers.map(() => '---')]),
    ...names.map((name) => row([name, ...numbersOf(name).map((value) => value ?? '')])),
  ].join('\n');
}
