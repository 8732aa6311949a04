import type { ProjectType } from '../../../contract/fields.ts';
import { type Html, html, named } from '../parts/html.ts';
import { icon, iconSprite, typeNames } from '../parts/icons.ts';
import { spellMoment, spellTimeLeft } from '../parts/moments.ts';
import { count, formatBytes } from '../parts/sizes.ts';

/** The temporary project that a claim link is for. */
export interface ClaimProject {
  title: string;
  /** Its public address. */
  url: string;
  files: number;
  bytes: number;
  type: ProjectType;
  /** When it ends unless it is kept; ISO 8601. */
  expiresAt: string;
}

/** What the project is, and how long it has without being kept; `rows` follow in the same list. */
export function claimSummary(project: ClaimProject, now: Date, rows?: Html): Html {
  const { title, url, files, bytes, type, expiresAt } = project;
  return html`${iconSprite([type])}
<div class="item">${icon(type)}<p><strong>${named(title)}</strong>${projectLink(url)}</p></div>
<dl class="facts"><dt>Holds</dt><dd>${typeNames[type]}, ${count(files, 'file')}, ${formatBytes(bytes)}</dd>
<dt>Ends</dt><dd>in <strong>${spellTimeLeft(expiresAt, now)}</strong>, <time datetime="${expiresAt}">${spellMoment(expiresAt)}</time></dd>
${rows}</dl>`;
}

/** The address as a link that leaves this page, and the secret in its address, to itself. */
export function projectLink(url: string): Html {
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer">${url.replace(/^https?:\/\//, '')}</a>`;
}
