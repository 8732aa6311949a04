import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { classifyAgent } from '../../../../core/analytics/classify-agent.ts';
import { describeAgent } from '../../../../core/analytics/describe-agent.ts';
import { agentsOfPackages } from '../../../../scripts/refresh-agents.ts';
import {
  aiAgents,
  browserAgents,
  browserLikeAiAgents,
  crawlers,
  mailScanners,
  morePreviews,
  previews,
  programAgents,
} from '../../../fixtures/agents/agents.ts';

const classOf = (userAgent: string) => classifyAgent({ userAgent });
const tally = (agents: readonly string[]) =>
  agents
    .map(classOf)
    .reduce<Record<string, number>>(
      (counts, kind) => ({ ...counts, [kind]: (counts[kind] ?? 0) + 1 }),
      {},
    );

describe('a user agent', () => {
  test('of every browser of two lists of real traffic is a person', () => {
    expect(browserAgents.length).toBeGreaterThan(300);
    expect(browserAgents.filter((agent) => classOf(agent) !== 'person')).toEqual([]);
    console.log(`${browserAgents.length} real browsers:`, tally(browserAgents));
  });

  test('of every crawler in the list is not a person', () => {
    const seen = crawlers.flatMap(({ instances }) => instances);
    expect(seen.length).toBeGreaterThan(1000);
    expect(seen.filter((agent) => classOf(agent) === 'person')).toEqual([]);
    console.log(`${seen.length} of crawlers:`, tally(seen));
  });

  test.each(Object.entries(previews))('of %s is a link preview', (_, agent) => {
    expect(classOf(agent)).toBe('preview');
  });

  test.each(mailScanners)('%s is a mail scanner', (agent) => {
    expect(classOf(agent)).toBe('mail_scanner');
  });

  test.each(morePreviews)('%s is a link preview, so it is a visit', (agent) => {
    expect(classOf(agent)).toBe('preview');
  });

  test.each([...aiAgents, ...browserLikeAiAgents])('%s is an AI agent', (agent) => {
    expect(classOf(agent)).toBe('ai');
  });

  test.each([...programAgents, '', '   '])('"%s" is a bot', (agent) => {
    expect(classOf(agent)).toBe('bot');
  });

  test.each([
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/470.0;FBBV/610.0]',
    'Mozilla/5.0 (Linux; Android 14; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/146.0.0.0 Mobile Safari/537.36 MetaIAB Facebook',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Slack/4.38 Chrome/124.0 Electron/30.0 Safari/537.36',
  ])('of a browser inside of an app is a person: %s', (agent) => {
    expect(classOf(agent)).toBe('person');
  });

  test('of any length is read only up to the limit', () => {
    const startedAt = performance.now();
    classOf(`Mozilla/5.0 ${'a'.repeat(1_000_000)} GPTBot`);
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });

  test('is classified by the output of `npm run agents` for the installed packages', () => {
    const stored = JSON.parse(readFileSync('core/analytics/agents.json', 'utf8'));
    expect(stored).toEqual(agentsOfPackages());
  });
});

describe('a browser is described', () => {
  test.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      { device: 'mobile', browser: 'Safari', os: 'iOS' },
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
      { device: 'tablet', browser: 'Safari', os: 'iOS' },
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36 Edg/124.0.0.0',
      { device: 'desktop', browser: 'Microsoft Edge', os: 'Windows' },
    ],
    ['=cmd()/1.0', { device: null, browser: null, os: null }],
    ['', { device: null, browser: null, os: null }],
  ])('%s', (agent, description) => {
    expect(describeAgent(agent)).toEqual(description);
  });

  test('with a device for almost every real browser', () => {
    const known = browserAgents.filter((agent) => describeAgent(agent).device !== null);
    expect(known.length / browserAgents.length).toBeGreaterThan(0.99);
  });
});
