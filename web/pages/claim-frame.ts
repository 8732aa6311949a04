import type { ProjectType } from '../../contract/fields.ts';
import { mark, slipway } from './drawings.ts';
import { type Html, html, named } from './html.ts';
import { icon, iconSprite, typeNames } from './icons.ts';
import { spellMoment, spellTimeLeft } from './moments.ts';
import { type Page, renderPage } from './page.ts';
import { count, formatBytes } from './sizes.ts';

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

/** The card of pages where a person signs in and decides: what is said and asked, above the slipway. */
export function claimFrame(parts: {
  brand: string;
  title: string;
  /** On the slope while it is undecided, afloat once the project is kept. */
  hull: 'ready' | 'afloat' | 'none';
  content: Html;
  /** Whether its form is answered with the way to another host. */
  leadsElsewhere?: boolean;
  style?: string;
}): Page {
  const { brand, title, hull, content, leadsElsewhere, style } = parts;
  const body = html`<header class="top"><p class="name display">${mark()}<span>${brand}</span></p></header>
<main class="sheet">
<div class="zone ${hull === 'afloat' ? 'afloat' : 'busy'} claim">
<div class="panel">
${content}
</div>
${slipway(hull === 'none' ? 'none' : 'ready')}
</div>
</main>`;
  const forms = leadsElsewhere === true ? 'anywhere' : true;
  const document = { brand, title, body, noIndex: true, forms } as const;
  return renderPage(style === undefined ? document : { ...document, style });
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
