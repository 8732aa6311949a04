import Bowser from 'bowser';
import { maxAgentLength } from './classify-agent.ts';

/** A browser in the owner's statistics; null where the user agent does not say. */
export interface AgentDescription {
  device: 'desktop' | 'mobile' | 'tablet' | 'tv' | null;
  browser: string | null;
  os: string | null;
}

/** Device, browser and operating system according to a user agent. */
export function describeAgent(userAgent: string): AgentDescription {
  const text = userAgent.slice(0, maxAgentLength);
  if (text.trim() === '') return { device: null, browser: null, os: null };
  const { browser, os, platform } = Bowser.parse(text);
  return {
    device: deviceOf(platform.type),
    browser: cleanName(browser.name),
    os: cleanName(os.name),
  };
}

const devices = ['desktop', 'mobile', 'tablet', 'tv'] as const;

function deviceOf(type: string | undefined): AgentDescription['device'] {
  return devices.find((device) => device === type) ?? null;
}

/** Unknown names come from the user agent, so they are untrusted text. */
function cleanName(name: string | undefined): string | null {
  const text = (name ?? '').replaceAll(/[^\p{L}\p{N} .+-]/gu, '').trim();
  return text === '' ? null : text.slice(0, 40);
}
