import Bowser from 'bowser';
import { maxAgentLength } from './classify.ts';

/** A browser as owners see it; null where it does not say. */
export interface AgentDescription {
  device: 'desktop' | 'mobile' | 'tablet' | 'tv' | null;
  browser: string | null;
  os: string | null;
}

/** What a user agent says of device, browser and system. */
export function describeAgent(userAgent: string): AgentDescription {
  const text = userAgent.slice(0, maxAgentLength);
  if (text.trim() === '') return { device: null, browser: null, os: null };
  const { browser, os, platform } = Bowser.parse(text);
  return { device: deviceOf(platform.type), browser: named(browser.name), os: named(os.name) };
}

const devices = ['desktop', 'mobile', 'tablet', 'tv'] as const;

function deviceOf(type: string | undefined): AgentDescription['device'] {
  return devices.find((device) => device === type) ?? null;
}

/** Names that the package does not know are made of the user agent: they are a stranger's text. */
function named(name: string | undefined): string | null {
  const text = (name ?? '').replaceAll(/[^\p{L}\p{N} .+-]/gu, '').trim();
  return text === '' ? null : text.slice(0, 40);
}
