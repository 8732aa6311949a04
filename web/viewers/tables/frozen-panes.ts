import { attributeOf } from '../parts/xml-tree.ts';

/** Rows and columns that stay in view. */
export interface Panes {
  headRows: number;
  headColumns: number;
}

const none: Panes = { headRows: 0, headColumns: 0 };
/** More of them would leave no room for the rest. */
const most = { rows: 10, columns: 5 };

function panesOf(rows: string | undefined, columns: string | undefined): Panes {
  const headRows = Number(rows ?? 0);
  const headColumns = Number(columns ?? 0);
  return {
    headRows: headRows <= most.rows ? Math.floor(headRows) || 0 : 0,
    headColumns: headColumns <= most.columns ? Math.floor(headColumns) || 0 : 0,
  };
}

/** The frozen panes of a worksheet (ECMA-376, part 1, section 18.3.1.66). */
export function panesOfWorksheet(xml: string): Panes {
  const [pane] = /<(?:\w+:)?pane\s[^<>]*>/.exec(xml.slice(0, 20_000)) ?? [];
  if (pane === undefined || !/\bstate\s*=\s*"frozen/.test(pane)) return none;
  return panesOf(/\bySplit="([\d.]+)"/.exec(pane)?.[1], /\bxSplit="([\d.]+)"/.exec(pane)?.[1]);
}

/** The frozen panes of each table in `settings.xml` of an ODS file, where LibreOffice writes them. */
export function panesOfOdsSettings(xml: string): Map<string, Panes> {
  const panes = new Map<string, Panes>();
  const [, tables = ''] = xml.split(/config:name="Tables"/, 2);
  for (const part of tables.split('<config:config-item-map-entry config:name="').slice(1)) {
    const name = part.slice(0, part.indexOf('"'));
    const items = new Map<string, string>();
    for (const [, attributes = '', value = ''] of part.matchAll(/<[\w:-]+(\s[^<>]*)>(\d+)</g))
      items.set(attributeOf({ attributes }, 'name') ?? '', value);
    const item = (key: string) => items.get(key) ?? '0';
    const isFrozen = (mode: string) => item(mode) === '2';
    panes.set(
      name,
      panesOf(
        isFrozen('VerticalSplitMode') ? item('VerticalSplitPosition') : undefined,
        isFrozen('HorizontalSplitMode') ? item('HorizontalSplitPosition') : undefined,
      ),
    );
  }
  return panes;
}
