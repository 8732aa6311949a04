import { escapeHtml, localPage } from '../operator/page.ts';
import type { LocalDns } from './dns.ts';
import { type Dnssec, recordTypes, type Zone, type ZoneRecord } from './zone-records.ts';

const STYLE = `
form { margin: 0; }
.add { display: grid; grid-template-columns: minmax(0, 2fr) auto minmax(0, 3fr) 6rem auto; gap: .5rem; align-items: end; border: 1px solid var(--line); border-radius: .75rem; padding: 1rem; margin: 0 0 1.5rem; background: var(--soft); }
label { display: block; font-size: .875rem; }
label span { display: block; opacity: .7; margin: 0 0 .25rem; }
input, select, button { font: inherit; color: inherit; background: Canvas; border: 1px solid var(--line); border-radius: .5rem; padding: .375rem .625rem; width: 100%; min-height: 2.375rem; }
button { cursor: pointer; width: auto; white-space: nowrap; }
button:hover { border-color: var(--accent); }
:is(input, select, button):focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.primary { background: var(--accent); border-color: var(--accent); color: #fff; }
section { border: 1px solid var(--line); border-radius: .75rem; margin: 0 0 1rem; overflow: hidden; }
section > header { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding: .75rem 1rem; background: var(--soft); }
h2 { font-size: 1rem; margin: 0; flex: 1 1 14rem; overflow-wrap: anywhere; }
section p { margin: 0; padding: .75rem 1rem; }
ul { list-style: none; margin: 0; padding: 0; }
li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .25rem 1rem; align-items: center; padding: .625rem 1rem; border-top: 1px solid var(--line); }
code { font: 14px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
li small { opacity: .7; }
.refused { border: 1px solid #c2410c; border-radius: .75rem; padding: .75rem 1rem; opacity: 1; white-space: pre-wrap; }
.foot { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: center; font-size: .875rem; }
.foot p { margin: 0; flex: 1; min-width: 16rem; overflow-wrap: anywhere; }
@media (max-width: 40rem) { .add { grid-template-columns: 1fr 1fr; } .add label:first-child, .add .value { grid-column: 1 / -1; } }
`;

function hidden(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');
}

/** A button that sends one change. */
function change(path: string, fields: Record<string, string>, text: string, label = text): string {
  return `<form method="post" action="/_local/dns/${path}">${hidden(fields)}<button aria-label="${escapeHtml(label)}">${escapeHtml(text)}</button></form>`;
}

function recordRow({ name, type, value, ttlSeconds }: ZoneRecord): string {
  const fields = { method: 'DELETE', name, type, value };
  const remove = change('records', fields, 'Remove', `Remove ${type} ${name}`);
  return `<li><div><code><b>${escapeHtml(name)}</b> ${type} ${escapeHtml(value)}</code><br><small>TTL ${ttlSeconds} s</small></div>${remove}</li>`;
}

const NEXT: Record<Dnssec, { dnssec: Dnssec; text: string }> = {
  unsigned: { dnssec: 'broken', text: 'Break DNSSEC' },
  signed: { dnssec: 'broken', text: 'Break DNSSEC' },
  broken: { dnssec: 'unsigned', text: 'Repair DNSSEC' },
};

function zoneSection(name: string, { dnssec, records, negativeTtlSeconds }: Zone): string {
  const next = NEXT[dnssec];
  const note = dnssec === 'broken' ? ' · resolvers answer SERVFAIL' : '';
  const buttons = [
    change('zones', { zone: name, dnssec: next.dnssec }, next.text, `${next.text} of ${name}`),
    change('zones', { method: 'DELETE', zone: name }, 'Remove zone', `Remove zone ${name}`),
  ];
  const rows = records.map(recordRow).join('\n');
  const list = records.length === 0 ? '<p>No records.</p>' : `<ul>${rows}</ul>`;
  return `<section><header><h2>${escapeHtml(name)}<small>${note}</small></h2>${buttons.join('')}</header>${list}<p><small>A name that does not exist is remembered for ${negativeTtlSeconds} s.</small></p></section>`;
}

const TYPES = ['TXT', 'CNAME', ...recordTypes.filter((type) => !/^(TXT|CNAME)$/.test(type))];

function addForm(): string {
  const types = TYPES.map((type) => `<option>${type}</option>`).join('');
  return `<form class="add" method="post" action="/_local/dns/records">
<label><span>Name</span><input name="name" required placeholder="*.customer.localhost"></label>
<label><span>Type</span><select name="type">${types}</select></label>
<label class="value"><span>Value</span><input name="value" required></label>
<label><span>TTL (s)</span><input name="ttlSeconds" type="number" min="0" placeholder="default"></label>
<button class="primary">Add</button>
</form>`;
}

/** The zones of the local DNS as a page, where a person sets records as at a provider. */
export function dnsPage({ zones, resolvers }: LocalDns, refused?: string): string {
  const all = Object.entries(zones.zones()).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const sections = all.map(([name, zone]) => zoneSection(name, zone));
  const problem =
    refused === undefined ? '' : `<p class="refused" role="alert">${escapeHtml(refused)}</p>`;
  const servers = resolvers.map((one) => `<code>${escapeHtml(one)}</code>`).join(' and ');
  return localPage('Local DNS', {
    style: STYLE,
    body: `<p>The records of custom domains. Set them here as you would at a DNS provider; the zone is created with its first record.</p>
${problem}${addForm()}
${sections.length === 0 ? '<p>No zones yet.</p>' : sections.join('\n')}
<div class="foot"><p>Two resolvers with caches of their own: ${servers}. Without recursion they answer as the servers of each zone.</p>${change('forget', {}, 'Empty the caches')}</div>`,
  });
}
