import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LocalCloud } from '../fixtures/clouds/local-cloud.ts';
import { opensOf } from '../fixtures/visits/opens.ts';
import { Findings } from './findings.ts';
import { type Crowd, playJourneys } from './journeys.ts';
import { untilAvailable } from './until-available.ts';
import { growthPerMinute, type MemorySample, residentMegabytes } from './memory.ts';
import { aSite } from './sites.ts';
import { visitSites } from './traffic.ts';

/**
 * Each network's first thousand hits of a day at an account are rows, which count once; so many
 * sites that none gets more.
 */
const visitedSites = 12;
const journeysAtOnce = 2;

/** What a run of load found. */
export interface LoadResult {
  findings: Findings;
  /** Of the local cloud and its database engine together. */
  megabytes: { atStart: number; afterWarmUp: number; atEnd: number; growthPerMinute: number };
}

/** Starts a local cloud, uses it for so many seconds and compares what it says with what was sent. */
export async function playLoad(seconds: number): Promise<LoadResult> {
  const cloud = new LocalCloud();
  try {
    await cloud.start();
    return await playOn(cloud, seconds);
  } finally {
    await cloud.remove();
  }
}

async function playOn(cloud: LocalCloud, seconds: number): Promise<LoadResult> {
  const findings = new Findings();
  const crowd: Crowd = { service: cloud.baseUrl, findings, sites: [] };
  const memory = () => residentMegabytes([cloud.pid, enginePid(cloud.stateDir)]);
  const atStart = await memory();
  const sites = await Promise.all(Array.from({ length: visitedSites }, () => aSite(cloud.baseUrl)));
  crowd.sites.push(...sites);
  const until = new Date(Date.now() + seconds * 1000);
  const [samples] = await Promise.all([
    sampleUntil(until, memory),
    visitSites(sites, until, findings),
    ...Array.from({ length: journeysAtOnce }, () => playJourneys(crowd, until)),
  ]);
  await cloud.advance(0);
  for (const site of crowd.sites) await compareCounts(crowd, site);
  const afterWarmUp = samples[Math.floor(samples.length / 2)]?.megabytes ?? Number.NaN;
  const atEnd = samples.at(-1)?.megabytes ?? Number.NaN;
  const growth = growthPerMinute(samples);
  return { findings, megabytes: { atStart, afterWarmUp, atEnd, growthPerMinute: growth } };
}

/** A sample each second. */
async function sampleUntil(until: Date, memory: () => Promise<number>): Promise<MemorySample[]> {
  const startedAt = Date.now();
  const samples: MemorySample[] = [];
  while (Date.now() < until.getTime()) {
    samples.push({ seconds: (Date.now() - startedAt) / 1000, megabytes: await memory() });
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return samples;
}

/** Each visit and each open that was answered counts once; one that was answered with 503 at most once. */
async function compareCounts({ service, findings }: Crowd, site: Crowd['sites'][number]) {
  const { status, json } = await untilAvailable(findings, () =>
    opensOf(site.apiKey, site.projectId, service),
  );
  if (status !== 200) return findings.problem(`statistics were answered with ${status}`);
  const { visits, opens } = json.data;
  const { counts } = site;
  const mostVisits = counts.visits + counts.uncertainVisits;
  if (visits.total < counts.visits || visits.total > mostVisits) {
    const sent = [...new Set([counts.visits, mostVisits])].join(' to ');
    findings.problem(`${sent} visits were counted as ${visits.total}`);
  }
  if (opens.total !== counts.opens) {
    findings.problem(`${counts.opens} opens were counted as ${opens.total}`);
  }
}

function enginePid(stateDir: string): number {
  return Number(readFileSync(path.join(stateDir, 'dynamodb', 'engine.pid'), 'utf8'));
}
